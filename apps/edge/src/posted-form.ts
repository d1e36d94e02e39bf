import { writeForm } from './read-form.ts';
import { claimsOf } from './token-claims.ts';

const longest = 320;

/**
 * The account that a posted form names, in one spelling; the rest of the form, its password among it, is not looked at.
 * Keycloak cuts off more at the ends of a name than JavaScript does, so nothing up to the blank counts. Letters that look
 * alike stay apart, as they do for Keycloak.
 */
export const accountOfForm = (body: unknown): string | undefined => nameIn(body, 'username');

/** The address that a form of a signed-in person names, and to which Keycloak mails a link; spelt as `accountOfForm` does. */
export const recipientOfForm = (body: unknown): string | undefined => nameIn(body, 'email');

function nameIn(body: unknown, field: string): string | undefined {
  if (!Buffer.isBuffer(body)) return undefined;
  return asNamed(new URLSearchParams(body.toString('utf8')).get(field) ?? '');
}

/** A name in the spelling by which tries are counted; undefined for an empty one. */
export function asNamed(given: string): string | undefined {
  const name = given.replaceAll(/[\0- ]/g, '').toLowerCase();
  return name === '' ? undefined : name.slice(0, longest);
}

/**
 * The names by which the owner of these tokens may log in, in the spelling of `accountOfForm`, and the address if it is proved:
 * from what Keycloak answers with.
 */
export function ownerOfTokens(answer: Buffer): { names: string[]; provedAddress?: string } {
  const { preferred_username, email, email_verified } = claimsOf(
    /"access_token":"([^"]*)"/.exec(answer.toString('utf8'))?.[1],
  );
  const named = (name: unknown) => (typeof name === 'string' ? asNamed(name) : undefined);
  const provedAddress = email_verified === true ? named(email) : undefined;
  const names = [preferred_username, email].flatMap((name) => named(name) ?? []);
  return { names, ...(provedAddress !== undefined && { provedAddress }) };
}

/** The same form for an account that does not exist, so that Keycloak answers as ever and mails nobody. */
export function withUnknownAccount(body: Buffer): Buffer {
  const form = new URLSearchParams(body.toString('utf8'));
  form.set('username', 'nobody@stoa.invalid');
  return Buffer.from(writeForm(form));
}

/** How browsers ask for tokens: with the code of a sign-in, and with the token that came with the last ones. */
const grants = ['authorization_code', 'refresh_token'];

/** Whether a form asks for tokens as browsers do. */
export function isBrowserGrant(body: unknown): boolean {
  if (!Buffer.isBuffer(body)) return false;
  return grants.includes(new URLSearchParams(body.toString('utf8')).get('grant_type') ?? '');
}
