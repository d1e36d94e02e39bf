import { NetworkError } from '@keycloak/keycloak-admin-client';
import { domainToASCII } from 'node:url';
import type { AdminApi } from './admin-api.ts';

/** An attribute of the realm, set once no address is left in another spelling. */
const isDone = 'addressesInAscii';
const pageSize = 5000;
/** Users of one page that the next page reads again, so that an account deleted in between hides no other one. */
const overlap = 100;

/**
 * Spells the domains of addresses in ASCII that an older user profile kept in other scripts. The proxy in front of Keycloak
 * spells addresses in ASCII and finds no other, so their owners could not log in. Each change is recorded as an
 * administrator's, which identity follows.
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
      `realm ${realm}: the email address of ${username} keeps its spelling (${refusal}): docs/operations.md`,
    );
  if (left.size > 0) return;
  // An update of the attributes replaces them all.
  const attributes = { ...(await admin.realms.findOne({ realm }))?.attributes, [isDone]: 'true' };
  await admin.realms.update({ realm }, { attributes });
}

/** Why Keycloak refused the change; undefined where it took it. */
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
    // Deleted since it was read.
    if (status === 404) return undefined;
    if (status === 409) return 'another account has the address';
    if (status === 400) return 'another rule of the user profile refuses the account';
    throw error;
  }
}

/**
 * An address that Keycloak has kept as `plainAddress` of the contracts spells it, which a test holds equal: set-up runs before
 * the contracts are built.
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
