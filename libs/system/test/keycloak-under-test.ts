import { type AdminApi, signIn, type SignedIn, signUp, syncRealm } from '@stoa/realm';
import { randomBytes } from 'node:crypto';
import type { Parts } from '../src/index.ts';

interface Claims {
  readonly sub: string;
  readonly realm_access?: unknown;
  readonly resource_access: Record<string, { roles: string[] }>;
}
export const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Claims;

/** A new account, and the result of its sign-up with a given password. */
export function newAccount(
  { keycloak: { publicUrl, url, realm }, siteUrl }: Parts,
  username = `person-${randomBytes(4).toString('hex')}`,
) {
  const flow = {
    issuer: `${publicUrl}/realms/${realm}`,
    clientId: 'web',
    redirectUri: `${siteUrl}/auth/callback`,
    reachedAt: url,
  };
  const account = { displayName: 'Person', username, email: `${username}@example.test` };
  return {
    username,
    signUp: (password: string) => signUp({ ...flow, ...account, password }),
    logIn: (name: string, password: string) => signIn({ ...flow, username: name, password }),
  };
}

/**
 * Creates accounts whose addresses only an older user profile allowed, in a realm without the newer set-up.
 * Returns their ids.
 */
export async function keepAddresses(
  admin: AdminApi,
  emails: readonly string[],
  signUpOne: () => Promise<SignedIn>,
): Promise<string[]> {
  const realm = 'stoa';
  const profile = await admin.users.getProfile({ realm });
  const open = profile.attributes?.map((one) => (one.name === 'email' ? { ...one, validations: {} } : one));
  await admin.users.updateProfile({ realm, ...profile, attributes: open ?? [] });
  const ids: string[] = [];
  for (const email of emails) {
    const { sub: id } = claimsOf((await signUpOne()).accessToken);
    await admin.users.update({ realm, id }, { email, emailVerified: true });
    ids.push(id);
  }
  await admin.users.updateProfile({ realm, ...profile });
  const { addressesInAscii: _, ...attributes } = (await admin.realms.findOne({ realm }))?.attributes ?? {};
  await admin.realms.update({ realm }, { attributes });
  return ids;
}

/** Runs the set-up of the realm and passes its log lines to `log`. */
export function setUpRealm({ keycloak, siteUrl, mail }: Parts, log: (line: string) => void): Promise<void> {
  const { url, setUpSecret, bootstrapSecret, identitySecret } = keycloak;
  const smtp = { host: mail.host, port: mail.smtpPort, from: mail.from };
  return syncRealm({ url, setUpSecret, bootstrapSecret, identitySecret, siteUrl, smtp, log });
}
