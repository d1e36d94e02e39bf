import { type AdminApi, connect } from '@stoa/realm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startParts, type Parts } from '../src/index.ts';
import { bootstrapAdmin } from '../src/parts/bootstrap-admin.ts';
import { usesDocker } from '../src/parts/chosen-parts.ts';
import { provision } from '../src/provision/provision.ts';
import { claimsOf, keepAddresses, newAccount, setUpRealm } from './keycloak-under-test.ts';
import { sessionAgeTests } from './session-age.tests.ts';

let parts: Parts;
let admin: AdminApi;
beforeAll(async () => {
  parts = await startParts({ only: ['keycloak', 'mail'] });
  admin = await connect(parts.keycloak);
}, 600_000);
afterAll(() => parts.stop());

const realm = 'master';
const usernames = async () => (await admin.users.find({ realm })).map(({ username }) => username);
const clientOf = async (clientId: string) => (await admin.clients.find({ realm, clientId }))[0];

function grant(fields: Record<string, string>): Promise<Response> {
  const url = `${parts.keycloak.url}/realms/master/protocol/openid-connect/token`;
  return fetch(url, { method: 'POST', body: new URLSearchParams(fields) });
}

it('the master realm has no user and no bootstrap client after the first set-up [system-9]', async () => {
  expect(await usernames()).toEqual([]);
  expect(await clientOf('bootstrap')).toBeUndefined();
  const refused = await grant({
    grant_type: 'client_credentials',
    client_id: 'bootstrap',
    client_secret: parts.keycloak.bootstrapSecret,
  });
  expect(refused.status).toBe(401);
});

it('the master realm has brute-force protection, a password policy and an event log', async () => {
  expect(await admin.realms.findOne({ realm })).toMatchObject({
    bruteForceProtected: true,
    passwordPolicy: expect.stringContaining('length(12)'),
    eventsEnabled: true,
    adminEventsEnabled: true,
    adminEventsDetailsEnabled: false,
    registrationAllowed: false,
    resetPasswordAllowed: false,
  });
});

/** The roles of a client's service account, by the client that owns them; the key `` is the realm. */
async function rolesOf(inRealm: string, clientId: string): Promise<Record<string, string[]>> {
  const [client] = await admin.clients.find({ realm: inRealm, clientId });
  const { id = '' } = await admin.clients.getServiceAccountUser({ realm: inRealm, id: client?.id ?? '' });
  const { realmMappings = [], clientMappings = {} } = await admin.users.listRoleMappings({
    realm: inRealm,
    id,
  });
  const names = (roles: { name?: string }[]) => roles.map(({ name = '' }) => name).toSorted();
  const ofClients = Object.entries(clientMappings).map(([of, { mappings }]) => [of, names(mappings)]);
  return { '': names(realmMappings), ...Object.fromEntries(ofClients) };
}

it('the client set-up has the roles that it needs and no more [system-10]', async () => {
  const manages = ['manage-clients', 'manage-realm', 'manage-users'];
  expect(await rolesOf(realm, 'set-up')).toEqual({
    '': ['create-realm', 'default-roles-master'],
    'master-realm': manages,
    'stoa-realm': [...manages, 'view-events'],
  });
});

describe('the client identity', () => {
  const ours = 'stoa';
  const url = (path: string) => `${parts.keycloak.url}/admin/realms/${path}`;
  let asIdentity: { authorization: string };
  let person: string;

  beforeAll(async () => {
    const answer = await fetch(`${parts.keycloak.url}/realms/${ours}/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: 'identity',
        client_secret: parts.keycloak.identitySecret,
      }),
    });
    const { access_token: token } = (await answer.json()) as { access_token: string };
    asIdentity = { authorization: `Bearer ${token}` };
    person = claimsOf((await attempt().signUp('eight888')).accessToken).sub;
  });

  it('has the roles that it needs and no more', async () => {
    const given = ['query-users', 'view-events'];
    expect(await rolesOf(ours, 'identity')).toEqual({
      '': ['default-roles-stoa'],
      'realm-management': given,
    });
    // The rights in its tokens. Viewing and managing users is a permission, not a role.
    const { realm_access, resource_access } = claimsOf(asIdentity.authorization);
    expect(realm_access).toBeUndefined();
    expect(Object.keys(resource_access)).toEqual(['realm-management']);
    expect(resource_access['realm-management']?.roles.toSorted()).toEqual(given);
  });

  it('reads users and their events', async () => {
    for (const path of [`users/${person}`, `users/${person}/sessions`, 'events', 'admin-events']) {
      const { status } = await fetch(url(`${ours}/${path}`), { headers: asIdentity });
      expect({ path, status }).toEqual({ path, status: 200 });
    }
  });

  it('may not impersonate users, read secrets, change the realm or extend its rights', async () => {
    const [management] = await admin.clients.find({ realm: ours, clientId: 'realm-management' });
    const [identity] = await admin.clients.find({ realm: ours, clientId: 'identity' });
    const of = management?.id ?? '';
    const account = await admin.clients.getServiceAccountUser({ realm: ours, id: identity?.id ?? '' });
    const all = await admin.clients.findRole({ realm: ours, id: of, roleName: 'realm-admin' });
    const operator = await admin.roles.findOneByName({ realm: ours, name: 'operator' });
    const beyond: [method: string, path: string, body?: unknown][] = [
      ['POST', `${ours}/users/${person}/impersonation`],
      ['GET', `${ours}/clients/${identity?.id}/client-secret`],
      ['GET', `${ours}/clients`],
      ['PUT', ours, { registrationAllowed: false }],
      ['POST', `${ours}/users/${account.id}/role-mappings/clients/${of}`, [all]],
      ['POST', `${ours}/users/${person}/role-mappings/realm`, [operator]],
      ['POST', `${ours}/users/${account.id}/role-mappings/realm`, [operator]],
      ['POST', `${ours}/users/${person}/role-mappings/clients/${of}`, [all]],
      ['POST', `${ours}/groups`, { name: 'operators', realmRoles: ['operator'] }],
      ['PUT', `${ours}/roles/operator`, { ...operator, description: 'x' }],
      ['POST', `${ours}/roles/default-roles-${ours}/composites`, [operator]],
      ['POST', `${ours}/roles-by-id/${operator?.id}/composites`, [all]],
      ['POST', `${ours}/partialImport`, { ifResourceExists: 'OVERWRITE', users: [] }],
      ['PUT', ours, { adminPermissionsEnabled: false }],
      ['GET', 'master/users'],
    ];
    for (const [method, path, body] of beyond) {
      const headers = { ...asIdentity, 'content-type': 'application/json' };
      const { status } = await fetch(url(path), { method, headers, body: body && JSON.stringify(body) });
      expect({ method, path, status }).toEqual({ method, path, status: 403 });
    }
  });

  it('grants no role when it updates or creates an account', async () => {
    const headers = { ...asIdentity, 'content-type': 'application/json' };
    const roles = { realmRoles: ['operator'], clientRoles: { 'realm-management': ['realm-admin'] } };
    const user = await admin.users.findOne({ realm: ours, id: person });
    const put = {
      method: 'PUT',
      headers,
      body: JSON.stringify({ ...user, ...roles, groups: ['/operators'] }),
    };
    await fetch(url(`${ours}/users/${person}`), put);
    const made = { username: 'made-by-identity', email: 'made@example.test', enabled: true, ...roles };
    const attributes = { displayName: ['Made'] };
    await fetch(url(`${ours}/users`), {
      method: 'POST',
      headers,
      body: JSON.stringify({ ...made, attributes }),
    });
    const [other] = await admin.users.find({ realm: ours, username: made.username, exact: true });
    for (const id of [person, other?.id ?? person])
      expect(await admin.users.listRoleMappings({ realm: ours, id })).toMatchObject({
        realmMappings: [{ name: `default-roles-${ours}` }],
      });
  });
});

it('admin-cli refuses the password grant [system-11]', async () => {
  const account = { username: 'named-on-purpose', enabled: true };
  await admin.users.create({
    realm,
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

const attempt = (username?: string) => newAccount(parts, username);

it.each([
  ['short', 'Password must be at least 8 characters long.'],
  ['Password123', 'Too many people use this password. Please choose another one.'],
  ['QWERTYUIOP1', 'Too many people use this password. Please choose another one.'],
])('a sign-up with the password %s is refused [system-12]', async (password, words) => {
  await expect(attempt().signUp(password)).rejects.toThrow(words);
});

it('a sign-up with the username as password is refused, with any other eight characters accepted [system-13]', async () => {
  const person = attempt();
  const words = 'Your password must not be your username.';
  await expect(person.signUp(person.username)).rejects.toThrow(words);
  await expect(person.signUp('eight888')).resolves.toMatchObject({ accessToken: expect.any(String) });
});

it('a sign-up refuses usernames that impersonate the site, and allows similar ones [system-14]', async () => {
  const words = 'Some names are reserved.';
  for (const username of ['staff', 'Stoa_Official', 'adm1n', 'jane-admin', 'owner', 'well-known'])
    await expect(attempt(username).signUp('eight888')).rejects.toThrow(words);
  await expect(attempt('staffan').signUp('eight888')).resolves.toMatchObject({
    accessToken: expect.any(String),
  });
});

it('an account keeps a username that is reserved later, and can still be changed [system-15]', async () => {
  const ours = { realm: 'stoa' };
  const profile = await admin.users.getProfile(ours);
  const open = profile.attributes?.map((one) =>
    one.name === 'username' ? { ...one, validations: {} } : one,
  );
  await admin.users.updateProfile({ ...ours, ...profile, attributes: open ?? [] });
  const { sub: id } = claimsOf((await attempt('stoa-helpdesk').signUp('eight888')).accessToken);
  await admin.users.updateProfile({ ...ours, ...profile });
  await admin.users.update({ ...ours, id }, { emailVerified: true, email: 'moved@example.test' });
  await admin.users.update({ ...ours, id }, { enabled: false });
  expect(await admin.users.findOne({ ...ours, id })).toMatchObject({
    ...{ username: 'stoa-helpdesk', email: 'moved@example.test', emailVerified: true, enabled: false },
  });
});

describe('an email address that an older release stored unchanged', () => {
  const ours = { realm: 'stoa' };
  const keep = (...emails: string[]) => keepAddresses(admin, emails, () => attempt().signUp('eight888'));
  const userOf = (id: string) => admin.users.findOne({ ...ours, id });
  const isMarked = async () =>
    (await admin.realms.findOne(ours))?.attributes?.['addressesInAscii'] !== undefined;

  it('gets its domain in ASCII by the next set-up, once, and stays confirmed', async () => {
    const [ann = '', emoji = ''] = await keep('ann@bücher.example', 'ann@i❤.example');
    await provision.keycloak(parts);
    expect(await userOf(ann)).toMatchObject({ email: 'ann@xn--bcher-kva.example', emailVerified: true });
    expect(await userOf(emoji)).toMatchObject({ email: 'ann@i❤.example' });
    expect(await isMarked()).toBe(true);
    await expect(attempt().logIn('ann@xn--bcher-kva.example', 'eight888')).resolves.toBeDefined();
    // Identity follows the changes of administrators.
    const changes = () =>
      admin.realms.findAdminEvents({ ...ours, operationTypes: 'UPDATE', resourcePath: `users/${ann}` });
    expect(await changes()).toHaveLength(2);
    await provision.keycloak(parts);
    expect(await changes()).toHaveLength(2);
  });

  it('stays, and is logged by each set-up, while another account has the address', async () => {
    const [other = '', ann = ''] = await keep('eve@xn--bcher-kva.example', 'eve@bücher.example');
    const { username } = (await userOf(ann)) ?? {};
    const lines: string[] = [];
    const setUp = () => setUpRealm(parts, (line) => void lines.push(line));
    for (let times = 1; times <= 2; times += 1) {
      await setUp();
      expect(lines.filter((line) => line.includes(`of ${username} keeps its spelling`))).toHaveLength(times);
    }
    expect(await userOf(ann)).toMatchObject({ email: 'eve@bücher.example' });
    expect(await userOf(other)).toMatchObject({ email: 'eve@xn--bcher-kva.example' });
    await admin.users.del({ ...ours, id: other });
    await setUp();
    expect(await userOf(ann)).toMatchObject({ email: 'eve@xn--bcher-kva.example' });
    expect(await isMarked()).toBe(true);
  });
});

it('only the clients web and identity are enabled [system-16]', async () => {
  const clients = await admin.clients.find({ realm: 'stoa' });
  const enabled = clients.filter((client) => client.enabled).map(({ clientId = '' }) => clientId);
  // Keycloak's built-in clients: `realm-management` and `admin-permissions` own roles and permissions, and
  // Keycloak creates `_system` when it first mails a link. No user logs in with them.
  const others = ['realm-management', 'admin-permissions', '_system'];
  const ours = enabled.filter((clientId) => !others.includes(clientId));
  expect(ours.toSorted()).toEqual(['identity', 'web']);
});

const action = (alias: string) =>
  admin.authenticationManagement.getRequiredActionForAlias({ realm: 'stoa', alias });

it('asks for the current password before a new password or address [system-17]', async () => {
  expect(await action('UPDATE_PASSWORD')).toMatchObject({ config: { max_auth_age: '0' } });
  expect(await action('UPDATE_EMAIL')).toMatchObject({
    enabled: true,
    config: { max_auth_age: '0', verifyEmail: 'true' },
  });
});

it('asks for a log-in of the last five minutes before another way to log in is added [system-18]', async () => {
  for (const alias of ['CONFIGURE_TOTP', 'webauthn-register', 'CONFIGURE_RECOVERY_AUTHN_CODES'])
    expect(await action(alias)).toMatchObject({ enabled: true, config: { max_auth_age: '300' } });
});

sessionAgeTests(() => ({ parts, admin }));

it('signs with ES256 only, also in a realm with weaker keys [system-19]', async () => {
  const published = async () => {
    const answer = await fetch(`${parts.keycloak.url}/realms/stoa/protocol/openid-connect/certs`);
    return ((await answer.json()) as { keys: { alg: string; crv?: string }[] }).keys;
  };
  const providerType = 'org.keycloak.keys.KeyProvider';
  await admin.components.create({
    realm: 'stoa',
    name: 'weaker',
    providerId: 'rsa-generated',
    providerType,
    config: { priority: ['200'] },
  });
  expect((await published()).map(({ alg }) => alg)).toContain('RS256');

  await provision.keycloak(parts);
  expect((await published()).map(({ alg, crv }) => [alg, crv])).toEqual([['ES256', 'P-256']]);
  const { accessToken = '' } = await attempt().signUp('eight888');
  const header = Buffer.from(accessToken.split('.')[0] ?? '', 'base64url').toString();
  expect(JSON.parse(header)).toMatchObject({ alg: 'ES256' });
});

describe('the flow of a mailed reset', () => {
  const flow = { realm: 'stoa', flow: 'reset credentials' };
  const stepOf = async (of: { providerId?: string; displayName?: string }) => {
    const executions = await admin.authenticationManagement.getExecutions(flow);
    const step = executions.find((found) =>
      Object.entries(of).every(([key, is]) => Reflect.get(found, key) === is),
    );
    if (!step) throw new Error(`There is no step ${JSON.stringify(of)}.`);
    return step;
  };
  const mailStep = () => stepOf({ providerId: 'reset-credential-email' });
  const replacing = () => stepOf({ displayName: 'Reset - Conditional OTP' });
  const settings = async () => {
    const { authenticationConfig: id = '' } = await mailStep();
    return admin.authenticationManagement.getConfig({ realm: 'stoa', id });
  };
  const reset = async () => ({
    forceLogin: (await settings()).config?.['force-login'],
    newAuthenticator: (await replacing()).requirement,
  });
  const logsIn = { forceLogin: 'true', newAuthenticator: 'DISABLED' };

  it("requires a log-in in a realm with Keycloak's defaults", async () => {
    const { authenticationConfig: id = '' } = await mailStep();
    await admin.authenticationManagement.delConfig({ realm: 'stoa', id });
    await admin.authenticationManagement.updateExecution(flow, {
      ...(await replacing()),
      requirement: 'CONDITIONAL',
    });
    await provision.keycloak(parts);
    expect(await reset()).toEqual(logsIn);
  });

  it.each([{ 'force-login': 'false' }, { 'force-login': 'only-federated' }, {}])(
    'requires a log-in if an administrator configured the mail step with %j',
    async (given) => {
      await admin.authenticationManagement.updateConfig({
        ...(await settings()),
        ...{ realm: 'stoa', config: given },
      });
      await provision.keycloak(parts);
      expect(await reset()).toEqual(logsIn);
    },
  );
});

// The command belongs to the distribution, which is not accessible when parts run in containers.
((await usesDocker()) ? describe.skip : describe)('a temporary administrator', () => {
  it('is deleted by the next set-up, which keeps other administrators', async () => {
    await bootstrapAdmin(parts.dir, parts, { user: 'left-behind' }, 'a temporary one');
    expect(await usernames()).toEqual(['left-behind', 'named-on-purpose']);
    await provision.keycloak(parts);
    expect(await usernames()).toEqual(['named-on-purpose']);
  }, 120_000);
});

it('set-up names docs/operate/runbooks/lost-admin.md when no credential is accepted', async () => {
  const keycloak = { ...parts.keycloak, setUpSecret: 'another', bootstrapSecret: 'another' };
  await expect(provision.keycloak({ ...parts, keycloak })).rejects.toThrow(
    'docs/operate/runbooks/lost-admin.md',
  );
});
