import { plainAddress } from '@stoa/contracts';
import { normalizePasswords } from './password-form.ts';

export interface FormAddress {
  /** The last segment of a path below `login-actions`, such as `authenticate`; undefined for other paths. */
  readonly action: string | undefined;
  readonly query: URLSearchParams;
}

export function formAddress(url: string): FormAddress {
  const [path = '', query] = url.split(/\?(.*)/s);
  const action = /\/login-actions\/([\w-]+)$/.exec(path)?.[1];
  return { action, query: new URLSearchParams(query) };
}

/** Whether the address belongs to the form for a new email address. */
export const isEmailForm = ({ action, query }: FormAddress): boolean =>
  action === 'required-action' && query.get('execution') === 'UPDATE_EMAIL';

/** Whether the form may contain an email address. Keycloak would read this field in any form. */
export function hasAllowedFields(address: FormAddress, fields: URLSearchParams): boolean {
  if (!fields.has('email') || address.action === undefined) return true;
  return address.action === 'registration' || isEmailForm(address);
}

/** Changes fields that Keycloak would accept in several spellings to one spelling. */
export function normalizeForm({ action }: FormAddress, fields: URLSearchParams): void {
  // Keycloak takes any value of this field as consent to the terms.
  if (action === 'registration' && fields.get('termsAccepted') !== 'on') fields.delete('termsAccepted');
  // All spellings of an address's domain belong to one account. A username contains no `@`.
  for (const name of ['email', 'username']) {
    const given = fields.get(name);
    if (given?.includes('@')) fields.set(name, plainAddress(given));
  }
  // A log-in tries several spellings of the password instead, because an older account may have another one.
  if (action !== 'authenticate') normalizePasswords(fields);
}
