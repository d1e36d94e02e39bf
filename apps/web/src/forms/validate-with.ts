import type { z } from 'zod';
import type { FieldErrors } from './use-form.ts';

/** Validates with the contract's schema. Returns the first message of each field. */
export function validateWith(schema: z.ZodType, value: unknown): FieldErrors {
  const result = schema.safeParse(value);
  if (result.success) return {};
  const errors: Record<string, string> = {};
  for (const issue of result.error.issues) errors[issue.path.join('.')] ??= issue.message;
  return errors;
}
