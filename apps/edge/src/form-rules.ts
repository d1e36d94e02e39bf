import { plainAddress } from '@stoa/contracts';
import { spellPasswords } from './password-form.ts';

/** Where a posted form goes, and what it changes there, by its address. */
export interface FormAddress {
  /** The last part of the path below `login-actions`; undefined elsewhere. */
  readonly action: string | undefined;
  readonly query: URLSearchParams;
}

/** Reads the address of a form. */
export function formAddress(url: string): FormAddress {
  const [path = '', query] = url.split(/\?(.*)/s);
  const action = /\/login-actions\/([\w-]+)$/.exec(path)?.[1];
  return { action, query: new URLSearchParams(query) };
}

/** Whether a form, or its page, is the one for another e-mail address. */
export const changesEmail = ({ action, query }: FormAddress): boolean =>
  action === 'required-action' && query.get('execution') === 'UPDATE_EMAIL';

/** Whether a form holds nothing that belongs on another page: Keycloak reads some fields wherever they come from. */
export function belongsThere(address: FormAddress, fields: URLSearchParams): boolean {
  if (!fields.has('email') || address.action === undefined) return true;
  return address.action === 'registration' || changesEmail(address);
}

/** Spells a form as Keycloak is to read it. */
export function completeForm({ action }: FormAddress, fields: URLSearchParams): void {
  // Keycloak takes the field alone for a tick, whatever it holds.
  if (action === 'registration' && fields.get('termsAccepted') !== 'on') fields.delete('termsAccepted');
  // One mailbox makes one account, however its domain is written. Usernames have no `@`.
  for (const name of ['email', 'username']) {
    const given = fields.get(name);
    if (given?.includes('@')) fields.set(name, plainAddress(given));
  }
  // A log-in tries each spelling that an account may have kept.
  if (action !== 'authenticate') spellPasswords(fields);
}
