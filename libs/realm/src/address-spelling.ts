import { NetworkError } from '@keycloak/keycloak-admin-client';
import { domainToASCII } from 'node:url';
import type { AdminApi } from './admin-api.ts';

/** An attribute of the realm. It is set once every address has the ASCII spelling. */
const isDone = 'addressesInAscii';
const pageSize = 5000;
/**
 * The last users of a page are read again with the next one, so that a deletion in between skips no account.
 */
const overlap = 100;

/**
 * Changes the domains of stored addresses to ASCII. Older user profiles allowed other scripts. The proxy in
 * front of Keycloak sends addresses in ASCII, so the owners of other spellings could not log in. Keycloak
 * records each change as an administrator's event, which identity follows.
 */
export async function spellAddresses(
  admin: AdminApi,
  realm: string,
  log: (line: string) => void,
): Promise<void> {
  if ((await admin.realms.findOne({ realm }))?.attributes?.[isDone]) return;
  const left = new Map<string, string>();
  for (let first = 0; ; first += pageSize - overlap) {
    const users = await admin.users.find({ realm, first, max: pageSize, briefRepresentation: true });
    for (const { id = '', username = '', email = '', emailVerified = false } of users) {
      const spelt = inAscii(email);
      if (spelt === email) continue;
      const refusal = await changeEmail(admin, { realm, id }, { email: spelt, emailVerified });
      if (refusal !== undefined) left.set(username, refusal);
    }
    if (users.length < pageSize) break;
  }
  for (const [username, refusal] of left)
    log(
      `realm ${realm}: the email address of ${username} keeps its spelling (${refusal}): deploy/keycloak/README.md`,
    );
  if (left.size > 0) return;
  // Sends all attributes, because an update replaces the whole map.
  const attributes = { ...(await admin.realms.findOne({ realm }))?.attributes, [isDone]: 'true' };
  await admin.realms.update({ realm }, { attributes });
}

/** Changes the address. Returns the reason if Keycloak refuses it, otherwise undefined. */
async function changeEmail(
  { users }: AdminApi,
  user: { realm: string; id: string },
  change: { email: string; emailVerified: boolean },
): Promise<string | undefined> {
  try {
    await users.update(user, change);
    return undefined;
  } catch (error) {
    const status = error instanceof NetworkError ? error.response.status : undefined;
    // Ignores an account that was deleted after it was read.
    if (status === 404) return undefined;
    if (status === 409) return 'another account has the address';
    if (status === 400) return 'another rule of the user profile refuses the account';
    throw error;
  }
}

/**
 * Spells a stored address as `plainAddress` of the contracts does. Set-up runs before the contracts are
 * built, so it has its own copy; a test compares the two.
 */
export function inAscii(kept: string): string {
  const address = kept
    .replaceAll(/[\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu, '')
    .normalize('NFC');
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  if (at < 1 || !/^[\p{L}\p{M}\p{N}.。．｡-]+$/u.test(domain)) return address;
  return `${address.slice(0, at)}@${domainToASCII(domain) || domain}`;
}
