import { writeForm } from '../proxy/read-form.ts';
import { claimsOf } from '../proxy/token-claims.ts';

const longest = 320;

/**
 * The normalized name of the account in a posted form. Keycloak trims more characters than JavaScript does, so all control
 * characters and spaces are removed. Similar letters stay distinct, as in Keycloak.
 */
export const accountOfForm = (body: unknown): string | undefined => nameIn(body, 'username');

/** The new address in a form of a signed-in user, to which Keycloak mails a link; normalized like an account name. */
export const recipientOfForm = (body: unknown): string | undefined => nameIn(body, 'email');

function nameIn(body: unknown, field: string): string | undefined {
  if (!Buffer.isBuffer(body)) return undefined;
  return normalizeName(new URLSearchParams(body.toString('utf8')).get(field) ?? '');
}

/** The form of a name under which attempts are counted; undefined for an empty name. */
export function normalizeName(given: string): string | undefined {
  const name = given.replaceAll(/[\0- ]/g, '').toLowerCase();
  return name === '' ? undefined : name.slice(0, longest);
}

/**
 * The normalized names with which the owner of these tokens can log in, and the address if it is confirmed. `answer` is the
 * body of Keycloak's token response.
 */
export function ownerOfTokens(answer: Buffer): { names: string[]; provedAddress?: string } {
  const { preferred_username, email, email_verified } = claimsOf(
    /"access_token":"([^"]*)"/.exec(answer.toString('utf8'))?.[1],
  );
  const named = (name: unknown) => (typeof name === 'string' ? normalizeName(name) : undefined);
  const provedAddress = email_verified === true ? named(email) : undefined;
  const names = [preferred_username, email].flatMap((name) => named(name) ?? []);
  return { names, ...(provedAddress !== undefined && { provedAddress }) };
}

/** The same form for an account that does not exist: Keycloak gives its usual answer and sends no mail. */
export function withUnknownAccount(body: Buffer): Buffer {
  const form = new URLSearchParams(body.toString('utf8'));
  form.set('username', 'nobody@stoa.invalid');
  return Buffer.from(writeForm(form));
}

/** The grant types that browsers use: the code of a log-in, and the refresh token. */
const grants = ['authorization_code', 'refresh_token'];

/** Whether a token request has a grant type that browsers use. */
export function isBrowserGrant(body: unknown): boolean {
  if (!Buffer.isBuffer(body)) return false;
  return grants.includes(new URLSearchParams(body.toString('utf8')).get('grant_type') ?? '');
}
