import { type AdminApi, connect, signUp } from '@stoa/realm';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startParts, type Parts } from '../src/index.ts';
import { bootstrapAdmin } from '../src/parts/bootstrap-admin.ts';
import { usesDocker } from '../src/parts/docker.ts';
import { provision } from '../src/provision/provision.ts';

interface Named {
  id: string;
  name: string;
}

interface Client {
  id: string;
  clientId: string;
  directAccessGrantsEnabled: boolean;
}

let parts: Parts;
let admin: AdminApi;
beforeAll(async () => {
  parts = await startParts({ only: ['keycloak', 'mail'] });
  admin = await connect(parts.keycloak);
}, 600_000);
afterAll(() => parts.stop());

const usernames = async () =>
  (await admin.get<{ username: string }[]>('/master/users')).map(({ username }) => username);
const clientOf = async (clientId: string) =>
  (await admin.get<Client[]>(`/master/clients?clientId=${clientId}`))[0];

function grant(fields: Record<string, string>): Promise<Response> {
  const url = `${parts.keycloak.url}/realms/master/protocol/openid-connect/token`;
  return fetch(url, { method: 'POST', body: new URLSearchParams(fields) });
}

it('has no user and no bootstrap client after the first set-up', async () => {
  expect(await usernames()).toEqual([]);
  expect(await clientOf('bootstrap')).toBeUndefined();
  const refused = await grant({
    grant_type: 'client_credentials',
    client_id: 'bootstrap',
    client_secret: parts.keycloak.bootstrapSecret,
  });
  expect(refused.status).toBe(401);
});

it('guards the log-in of administrators and writes down what they do', async () => {
  expect(await admin.get('/master')).toMatchObject({
    bruteForceProtected: true,
    passwordPolicy: expect.stringContaining('length(12)'),
    eventsEnabled: true,
    adminEventsEnabled: true,
    adminEventsDetailsEnabled: false,
    registrationAllowed: false,
    resetPasswordAllowed: false,
  });
});

it('gives set-up what it needs and no more', async () => {
  const client = await clientOf('set-up');
  const { id } = await admin.get<Named>(`/master/clients/${client?.id}/service-account-user`);
  const { realmMappings, clientMappings } = await admin.get<{
    realmMappings: Named[];
    clientMappings: Record<string, { mappings: Named[] }>;
  }>(`/master/users/${id}/role-mappings`);
  const manages = ['manage-clients', 'manage-realm', 'manage-users'];
  expect(realmMappings.map(({ name }) => name).toSorted()).toEqual(['create-realm', 'default-roles-master']);
  const granted = Object.entries(clientMappings).map(([of, { mappings }]) => [
    of,
    mappings.map(({ name }) => name).toSorted(),
  ]);
  expect(Object.fromEntries(granted)).toEqual({
    'master-realm': manages,
    'stoa-realm': [...manages, 'view-events'],
  });
});

it('takes nobody by a password alone', async () => {
  const account = { username: 'named-on-purpose', enabled: true };
  await admin.post('/master/users', {
    ...account,
    credentials: [{ type: 'password', value: 'a long enough one' }],
  });
  const refused = await grant({
    grant_type: 'password',
    client_id: 'admin-cli',
    username: account.username,
    password: 'a long enough one',
  });
  expect(await refused.json()).toMatchObject({ error: 'unauthorized_client' });
});

/** An account of its own, and what signing it up with a password of one's choice comes to. */
function attempt() {
  const username = `person-${randomBytes(4).toString('hex')}`;
  const { publicUrl, url, realm } = parts.keycloak;
  const flow = {
    issuer: `${publicUrl}/realms/${realm}`,
    clientId: 'web',
    redirectUri: `${parts.siteUrl}/auth/callback`,
    reachedAt: url,
  };
  const account = { displayName: 'Person', username, email: `${username}@example.test` };
  return { username, signUp: (password: string) => signUp({ ...flow, ...account, password }) };
}

it.each([
  ['short', 'Password must be at least 8 characters long.'],
  ['Password123', 'Too many people use this password. Please choose another one.'],
  ['QWERTYUIOP1', 'Too many people use this password. Please choose another one.'],
])('takes nobody up with the password %s', async (password, words) => {
  await expect(attempt().signUp(password)).rejects.toThrow(words);
});

it('takes nobody up with their username as password, and anybody with eight characters of their own', async () => {
  const person = attempt();
  const words = 'Your password must not be your username.';
  await expect(person.signUp(person.username)).rejects.toThrow(words);
  await expect(person.signUp('eight888')).resolves.toMatchObject({ accessToken: expect.any(String) });
});

it('gives tokens to the site and to identity, and by no other client', async () => {
  const clients = await admin.get<{ clientId: string; enabled: boolean }[]>('/stoa/clients');
  const enabled = clients.filter((client) => client.enabled).map(({ clientId }) => clientId);
  // Keycloak's own give none: the holder of roles, and `_system`, which it makes when it first mails a link.
  const ours = enabled.filter((clientId) => !['realm-management', '_system'].includes(clientId));
  expect(ours.toSorted()).toEqual(['identity', 'web']);
});

it('asks for the password of today before another one or another address', async () => {
  const action = (alias: string) => admin.get(`/stoa/authentication/required-actions/${alias}`);
  expect(await action('UPDATE_PASSWORD')).toMatchObject({ config: { max_auth_age: '0' } });
  expect(await action('UPDATE_EMAIL')).toMatchObject({
    enabled: true,
    config: { max_auth_age: '0', verifyEmail: 'true' },
  });
});

it('asks for the password of today before another way to log in is added', async () => {
  for (const alias of ['CONFIGURE_TOTP', 'webauthn-register', 'CONFIGURE_RECOVERY_AUTHN_CODES'])
    expect(await admin.get(`/stoa/authentication/required-actions/${alias}`)).toMatchObject({
      enabled: true,
      config: { max_auth_age: '0' },
    });
});

it('brings a realm that signed with RS256 over to ES256, and its tokens of before run out in peace', async () => {
  const headerOf = (token = '') =>
    JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as {
      alg: string;
      kid: string;
    };
  const aToken = async () => headerOf((await attempt().signUp('eight888')).accessToken);
  const published = async () => {
    const { url, realm } = parts.keycloak;
    const answer = await fetch(`${url}/realms/${realm}/protocol/openid-connect/certs`);
    return ((await answer.json()) as { keys: { kid: string; alg: string; crv?: string }[] }).keys;
  };
  // As Keycloak makes realms.
  const providerType = 'org.keycloak.keys.KeyProvider';
  await admin.post('/stoa/components', {
    name: 'older',
    providerId: 'rsa-generated',
    providerType,
    config: { priority: ['200'] },
  });
  await admin.put('/stoa', { defaultSignatureAlgorithm: 'RS256' });
  const before = await aToken();
  expect(before.alg).toBe('RS256');

  await provision.keycloak(parts);
  expect((await aToken()).alg).toBe('ES256');
  expect((await published()).map(({ kid }) => kid)).toContain(before.kid);

  await provision.keycloak(parts);
  expect((await published()).map(({ alg, crv }) => [alg, crv])).toEqual([['ES256', 'P-256']]);
});

// The command is part of the distribution, which only native parts have at hand.
((await usesDocker()) ? describe.skip : describe)('somebody temporary', () => {
  it('goes with the next set-up, and whom somebody made on purpose stays', async () => {
    await bootstrapAdmin(parts.dir, parts, { user: 'left-behind' }, 'a temporary one');
    expect(await usernames()).toEqual(['left-behind', 'named-on-purpose']);
    await provision.keycloak(parts);
    expect(await usernames()).toEqual(['named-on-purpose']);
  }, 120_000);

  it('is whom an older installation began with: the user admin, and no client set-up', async () => {
    const formerAdminPassword = 'as in the older secrets';
    await bootstrapAdmin(parts.dir, parts, { user: 'admin' }, formerAdminPassword);
    const cli = await clientOf('admin-cli');
    await admin.put(`/master/clients/${cli?.id}`, { ...cli, directAccessGrantsEnabled: true });
    const setUp = await clientOf('set-up');
    await admin.delete(`/master/clients/${setUp?.id}`);

    await provision.keycloak({ ...parts, keycloak: { ...parts.keycloak, formerAdminPassword } });
    admin = await connect(parts.keycloak);
    expect(await usernames()).toEqual(['named-on-purpose']);
    expect(await clientOf('admin-cli')).toMatchObject({ directAccessGrantsEnabled: false });
  }, 120_000);
});

it('says what to do when nobody can let set-up in', async () => {
  const keycloak = { ...parts.keycloak, setUpSecret: 'another', bootstrapSecret: 'another' };
  await expect(provision.keycloak({ ...parts, keycloak })).rejects.toThrow('docs/runbooks/lost-admin.md');
});
