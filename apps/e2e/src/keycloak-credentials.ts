import { type AdminApi, connect, signIn } from '@stoa/realm';
import type { Credential } from '@stoa/testing/access-matrix';
import { randomUUID } from 'node:crypto';
import { randomIpAddress, fetchJson, fetchApi } from './api.ts';
import { type TestCreator, makeCreator } from './creators.ts';
import { deleteAccount, disableAccount } from './keycloak-admin.ts';
import { isTo, waitForMail } from './mail-catcher.ts';
import { realmUrl, theSystem } from './system.ts';

export const bearer = (name: string, token: string): Credential => ({
  name,
  headers: { authorization: `Bearer ${token}` },
});

interface Issued {
  access_token: string;
  refresh_token?: string;
  id_token?: string;
}

/** Requests tokens from Keycloak itself, because its proxy refuses these grant types. */
async function grant(realm: string, fields: Record<string, string>): Promise<Issued> {
  const response = await fetch(`${theSystem().keycloak.url}/realms/${realm}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams(fields),
  });
  if (!response.ok) throw new Error(`${fields.grant_type} in ${realm}: ${await response.text()}`);
  return (await response.json()) as Issued;
}

const loginOptions = (username: string, password: string) => ({
  issuer: realmUrl(),
  clientId: 'web',
  redirectUri: `${theSystem().siteUrl}/auth/callback`,
  headers: { 'x-forwarded-for': randomIpAddress() },
  username,
  password,
});

/** Keycloak's setting that adds Stoa's API to the audience of a client's tokens. */
const forOurApi = {
  name: 'for our API',
  protocol: 'openid-connect',
  protocolMapper: 'oidc-audience-mapper',
  config: { 'included.custom.audience': 'stoa-api', 'access.token.claim': 'true' },
};
/** Valid tokens for another client of the same realm and user, with an offline session. */
async function tokensOfAnotherClient(
  admin: AdminApi,
  { username, password }: TestCreator,
): Promise<Credential[]> {
  const { realm } = theSystem().keycloak;
  const clientId = `other-${randomUUID()}`;
  const defaultClientScopes = ['basic', 'profile', 'email', 'offline_access'];
  const redirectUri = 'https://other.example.test/';
  const { id } = await admin.clients.create({
    realm,
    clientId,
    publicClient: true,
    redirectUris: [redirectUri],
    defaultClientScopes,
    protocolMappers: [forOurApi],
  });
  try {
    const { accessToken, idToken, refreshToken } = await signIn({
      ...loginOptions(username, password),
      clientId,
      redirectUri,
    });
    return [
      bearer('another client', accessToken),
      bearer("another client's ID token", idToken),
      bearer('an offline token', refreshToken),
    ];
  } finally {
    await admin.clients.del({ realm, id });
  }
}

/** A token of another realm that has a client and a user of the same names. */
async function tokenOfAnotherRealm(admin: AdminApi, account: TestCreator): Promise<Credential> {
  const realm = `beside-${randomUUID()}`;
  const { username, password, email } = account;
  const credentials = [{ type: 'password', value: password }];
  const person = { firstName: 'A', lastName: 'B', email, emailVerified: true };
  await admin.realms.create({
    realm,
    enabled: true,
    clients: [
      { clientId: 'web', publicClient: true, directAccessGrantsEnabled: true, protocolMappers: [forOurApi] },
    ],
    users: [{ username, enabled: true, ...person, credentials }],
  });
  try {
    const form = { grant_type: 'password', client_id: 'web', username, password, scope: 'openid' };
    return bearer('another realm', (await grant(realm, form)).access_token);
  } finally {
    await admin.realms.del({ realm });
  }
}

async function clientCredentials(): Promise<Credential[]> {
  const { realm, identitySecret, setUpSecret } = theSystem().keycloak;
  const service = { grant_type: 'client_credentials', client_id: 'identity', client_secret: identitySecret };
  const setUp = { ...service, client_id: 'set-up', client_secret: setUpSecret };
  return [
    bearer('the service identity', (await grant(realm, service)).access_token),
    bearer("an administrator's, of the master realm", (await grant('master', setUp)).access_token),
  ];
}

/** Other secrets that a log-in produces: ID token, refresh token, cookies and the key of a mailed link. */
async function otherSignInCredentials({ username, password, email }: TestCreator): Promise<Credential[]> {
  const { idToken, refreshToken, cookies } = await signIn(loginOptions(username, password));
  const cookie = Object.entries(cookies).map(([name, value]) => `${name}=${value}`);
  const [, key = ''] = /[?&]key=([^&\s]+)/.exec((await waitForMail(isTo(email))).text) ?? [];
  const identity = Object.entries(cookies).find(([name]) => name.endsWith('KEYCLOAK_IDENTITY'));
  return [
    bearer('an ID token', idToken),
    bearer('a refresh token', refreshToken),
    bearer('the cookie of the sign-in server', identity?.[1] ?? ''),
    bearer('the key of a mailed link', key),
    { name: 'cookies of the sign-in server', headers: { cookie: cookie.join('; ') } },
  ];
}

/** Revoked tokens, after the API has begun to refuse all of them. */
async function revokedTokens(): Promise<Credential[]> {
  const ways: Record<string, (creator: TestCreator) => Promise<unknown>> = {
    'a session that ended': ({ token }) => fetchJson('POST', '/api/account/sign-out-everywhere', { token }),
    'a disabled account': ({ uid }) => disableAccount(uid),
    'a deleted account': ({ uid }) => deleteAccount(uid),
  };
  return Promise.all(
    Object.entries(ways).map(async ([name, end]) => {
      const creator = await makeCreator();
      await end(creator);
      const deadline = Date.now() + 10_000;
      while ((await fetchApi('GET', '/api/me', { token: creator.token })).status !== 401)
        if (Date.now() > deadline) throw new Error(`${name} still opens the API`);
      return bearer(name, creator.token);
    }),
  );
}

/** Credentials from Keycloak that must not open the API. They belong to `account` where that is possible. */
export async function keycloakCredentials(account: TestCreator): Promise<Credential[]> {
  const admin = await connect(theSystem().keycloak);
  const kinds = await Promise.all([
    // One after the other, because Keycloak takes concurrent log-ins of a user for password guessing.
    otherSignInCredentials(account).then(async (first) => [
      ...first,
      ...(await tokensOfAnotherClient(admin, account)),
    ]),
    tokenOfAnotherRealm(admin, account),
    clientCredentials(),
    revokedTokens(),
  ]);
  const all = kinds.flat();
  const empty = all.filter(({ headers: { authorization } }) => authorization === 'Bearer ');
  if (empty.length > 0) throw new Error(`There is no token for ${empty.map(({ name }) => name).join(', ')}.`);
  return [{ name: 'nothing', headers: {} }, ...all];
}
