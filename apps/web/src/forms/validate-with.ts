import type { z } from 'zod';
import type { FieldErrors } from './use-form.ts';

/** The contract's own check, as messages by field; the first message of a field counts. */
export function validateWith(schema: z.ZodType, value: unknown): FieldErrors {
  const result = schema.safeParse(value);
  if (result.success) return {};
  const errors: Record<string, string> = {};
  for (const issue of result.error.issues) errors[issue.path.join('.')] ??= issue.message;
  return errors;
}
