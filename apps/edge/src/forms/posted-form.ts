import { writeForm } from '../proxy/read-form.ts';
import { claimsOf } from '../proxy/token-claims.ts';

const longest = 320;

/**
 * Reads the normalized account name from a posted form. It removes all spaces and control characters, because Keycloak trims
 * more of them than JavaScript. Similar letters stay different, as in Keycloak.
 */
export const accountOfForm = (body: unknown): string | undefined => nameIn(body, 'username');

/** Reads the new address that a logged-in user has typed, normalized. Keycloak mails a link to it. */
export const recipientOfForm = (body: unknown): string | undefined => nameIn(body, 'email');

function nameIn(body: unknown, field: string): string | undefined {
  if (!Buffer.isBuffer(body)) return undefined;
  return normalizeName(new URLSearchParams(body.toString('utf8')).get(field) ?? '');
}

/** Normalizes a name, so that all its spellings count as one account; undefined for an empty name. */
export function normalizeName(given: string): string | undefined {
  const name = given.replaceAll(/[\0- ]/g, '').toLowerCase();
  return name === '' ? undefined : name.slice(0, longest);
}

/** Reads from Keycloak's token response the names with which the owner can log in, and the address if it is confirmed. */
export function ownerOfTokens(answer: Buffer): { names: string[]; provedAddress?: string } {
  const { preferred_username, email, email_verified } = claimsOf(
    /"access_token":"([^"]*)"/.exec(answer.toString('utf8'))?.[1],
  );
  const named = (name: unknown) => (typeof name === 'string' ? normalizeName(name) : undefined);
  const provedAddress = email_verified === true ? named(email) : undefined;
  const names = [preferred_username, email].flatMap((name) => named(name) ?? []);
  return { names, ...(provedAddress !== undefined && { provedAddress }) };
}

/** Replaces the account in the form by one that does not exist. Keycloak then sends its usual answer, but no mail. */
export function withUnknownAccount(body: Buffer): Buffer {
  const form = new URLSearchParams(body.toString('utf8'));
  form.set('username', 'nobody@stoa.invalid');
  return Buffer.from(writeForm(form));
}

/** The grant types that browsers use: the code of a log-in, and the refresh token. */
const grants = ['authorization_code', 'refresh_token'];

export function isBrowserGrant(body: unknown): boolean {
  if (!Buffer.isBuffer(body)) return false;
  return grants.includes(new URLSearchParams(body.toString('utf8')).get('grant_type') ?? '');
}
