import type { ContactMessage } from '@stoa/contracts';
import type { FieldErrors } from '../../forms/use-form.ts';

export type ContactValues = Omit<ContactMessage, 'id'>;

/** The few rules worth telling at once. The contract's own check stands at the server and weighs too much here. */
export function validateContact(values: ContactValues): FieldErrors {
  const errors: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    if (value.trim() === '') errors[name] = 'This field is required.';
  }
  if (!errors.email && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(values.email.trim())) {
    errors.email = 'The email address is not valid.';
  }
  return errors;
}
