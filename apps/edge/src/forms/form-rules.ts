import { plainAddress } from '@stoa/contracts';
import { normalizePasswords } from './password-form.ts';

/** The parts of a form's address that decide which rules apply. */
export interface FormAddress {
  /** The last segment of a path below `login-actions`; undefined for other paths. */
  readonly action: string | undefined;
  readonly query: URLSearchParams;
}

export function formAddress(url: string): FormAddress {
  const [path = '', query] = url.split(/\?(.*)/s);
  const action = /\/login-actions\/([\w-]+)$/.exec(path)?.[1];
  return { action, query: new URLSearchParams(query) };
}

/** Whether the address is that of the form for a new email address, or of its page. */
export const isEmailForm = ({ action, query }: FormAddress): boolean =>
  action === 'required-action' && query.get('execution') === 'UPDATE_EMAIL';

/** Whether a form has an email only where that belongs. Keycloak reads this field in any form. */
export function hasAllowedFields(address: FormAddress, fields: URLSearchParams): boolean {
  if (!fields.has('email') || address.action === undefined) return true;
  return address.action === 'registration' || isEmailForm(address);
}

/** Normalizes the fields that Keycloak would otherwise read in several ways. */
export function normalizeForm({ action }: FormAddress, fields: URLSearchParams): void {
  // Keycloak accepts any value of this field as consent.
  if (action === 'registration' && fields.get('termsAccepted') !== 'on') fields.delete('termsAccepted');
  // One mailbox has one account, in any spelling of its domain. Usernames contain no `@`.
  for (const name of ['email', 'username']) {
    const given = fields.get(name);
    if (given?.includes('@')) fields.set(name, plainAddress(given));
  }
  // A log-in tries each spelling instead, since older accounts may have stored another one.
  if (action !== 'authenticate') normalizePasswords(fields);
}
