import type { ContactMessage } from '@stoa/contracts';
import type { FieldErrors } from '../../forms/use-form.ts';

export type ContactValues = Omit<ContactMessage, 'id'>;

/** Checks that each field has a value. The form's extras check the rest. */
export function validateContact(values: ContactValues): FieldErrors {
  const errors: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    if (value.trim() === '') errors[name] = 'This field is required.';
  }
  return errors;
}
