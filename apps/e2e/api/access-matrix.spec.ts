import { expect, test } from '@playwright/test';
import type { Offering } from '@stoa/contracts';
import { inRepository } from '@stoa/system';
import {
  apiAccess,
  type ApiRoute,
  apiRoutes,
  type Attempt,
  attempt,
  type AttemptResult,
  type Credential,
  methods,
  pathSpellings,
} from '@stoa/testing/access-matrix';
import { randomUUID } from 'node:crypto';
import { randomIpAddress, fetchJson } from '../src/api.ts';
import {
  type TestCreator,
  makeCreator,
  makeOffering,
  offeringFields,
  renewToken,
  upload,
} from '../src/creators.ts';
import { makeOperatorOf } from '../src/keycloak-admin.ts';
import { bearer, keycloakCredentials } from '../src/keycloak-credentials.ts';
import { theSystem } from '../src/system.ts';

// The timeout is longer than usual, because each test sends thousands of requests.
test.describe.configure({ mode: 'serial', timeout: 120_000 });

let owner: TestCreator;
let offering: Offering;
let bad: Credential[];
/** Replaces the parameters in a path of the API, such as `{id}`, by ids of the owner's data. */
let ofOwner: (path: string) => string;

test.beforeAll(async () => {
  owner = await makeCreator();
  const { token, uid, username } = owner;
  offering = await makeOffering(token);
  const { id: pictureId } = await upload(token, 'offering-cover');
  const { items } = await fetchJson<{ items: { id: string }[] }>('GET', '/api/account/sessions', { token });
  const sessionId = items[0]?.id ?? '';
  ofOwner = (path) =>
    path
      .replace('sessions/{id}', `sessions/${sessionId}`)
      .replace('uploads/{id}', `uploads/${pictureId}`)
      .replace('{id}', offering.id)
      .replace('{creatorId}', uid)
      .replace('{offeringId}', offering.id)
      .replace('{username}', username);
  bad = await keycloakCredentials(owner);
});

const closed = apiRoutes.filter(({ who }) => who !== 'public');
const from = () => ({ 'x-forwarded-for': randomIpAddress() });
const atSite = (attempts: Attempt[]) => attempt(theSystem().siteUrl, attempts, from);
const opened = ({ status }: AttemptResult) => status < 400;
const broken = ({ status }: AttemptResult) => status >= 500;

test('the access matrix has every route of the API [e2e-1]', async () => {
  const { paths } = await fetchJson<{ paths: Record<string, object> }>('GET', '/api/openapi.json');
  const described = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(described.toSorted()).toEqual(Object.keys(apiAccess).toSorted());
});

test('a protected route accepts only access tokens of the site [e2e-2]', async () => {
  expect(bad.length).toBeGreaterThan(14);
  const tried = await atSite(
    closed.flatMap(({ method, path }) =>
      bad.map((credential) => ({ method, path: ofOwner(path), credential })),
    ),
  );
  expect(tried.filter(({ status }) => status !== 401)).toEqual([]);
});

test('a protected route refuses all other HTTP methods', async () => {
  const tried = await atSite(
    [...new Set(closed.map(({ path }) => ofOwner(path)))].flatMap((path) =>
      methods.flatMap((method) => bad.map((credential) => ({ method, path, credential }))),
    ),
  );
  expect(tried.filter(({ method }) => method !== 'OPTIONS').filter(opened)).toEqual([]);
  expect(tried.filter(broken)).toEqual([]);
});

test('a protected route refuses all variants of its path', async () => {
  const few = bad.filter(({ name }) =>
    ['an ID token', 'a session that ended', 'another client'].includes(name),
  );
  expect(few).toHaveLength(3);
  const tried = await atSite(
    closed.flatMap(({ method, path }) =>
      pathSpellings.flatMap((spell) =>
        few.map((credential) => ({ method, path: spell(ofOwner(path)), credential })),
      ),
    ),
  );
  expect(tried.filter(opened)).toEqual([]);
  expect(tried.filter(broken)).toEqual([]);
});

test('a public route ignores a bad credential', async () => {
  const open = apiRoutes.filter(({ who }) => who === 'public');
  const tried = await atSite(
    open.flatMap(({ method, path }) =>
      bad.map((credential) => ({ method, path: ofOwner(path), credential })),
    ),
  );
  expect(tried.filter((one) => [401, 403].includes(one.status) || broken(one))).toEqual([]);
});

test("a creator's token opens no data of another creator [e2e-3]", async () => {
  const credential = bearer('another creator', (await makeCreator()).token);
  const others = apiRoutes.filter(({ stranger }) => stranger !== undefined);
  expect(others.length).toBeGreaterThan(6);
  for (const { method, path, stranger } of others) {
    const body = bodyOf(method, path);
    const [tried] = await atSite([{ method, path: ofOwner(path), credential, ...(body && { body }) }]);
    expect(tried).toMatchObject({ method, path: ofOwner(path), status: stranger });
  }
});

function bodyOf(method: string, path: string): object | undefined {
  if (path.endsWith('/duplicates')) return { id: randomUUID() };
  if (path.endsWith('/appeal')) return { text: 'Look again.' };
  if (path.endsWith('/closing')) return { state: 'revoked' };
  return method === 'PUT' ? offeringFields() : undefined;
}

test('the sign-in proxy forwards allow-listed routes and methods only [e2e-4]', async () => {
  const { publicUrl, url, realm } = theSystem().keycloak;
  const { signInRoutes } = (await import(inRepository('apps/edge/dist/sign-in/sign-in.routes.js'))) as {
    signInRoutes: (realm: string) => { url: string; methods: string[]; sharedWithSite?: string }[];
  };
  const routes = signInRoutes(realm);
  const credentials = [...bad, bearer('the owner', owner.token)];
  const atProxy = (attempts: Attempt[]) => attempt(publicUrl, attempts, from);
  const anywhere = (paths: string[], ways: readonly string[]): Attempt[] =>
    paths.flatMap((path) =>
      ways.flatMap((method) => credentials.map((credential) => ({ method, path, credential }))),
    );

  const unlisted = routes.flatMap((route) => {
    const path = route.url.replace(':version', 'x').replace('*', 'x.css');
    const listed = [...route.methods, ...(route.sharedWithSite ? ['OPTIONS'] : [])];
    return anywhere(
      [path],
      methods.filter((method) => !listed.includes(method)),
    );
  });
  // A QUERY request without a content type is invalid, so it gets 400 instead of 404.
  const refused = ({ method, status }: AttemptResult) => status === (method === 'QUERY' ? 400 : 404);
  expect((await atProxy(unlisted)).filter((one) => !refused(one))).toEqual([]);

  // Keycloak's own list of endpoints is longer than the list of routes that the proxy forwards.
  const base = `/realms/${realm}`;
  const known = (await (await fetch(`${url}${base}/.well-known/openid-configuration`)).json()) as object;
  const named = [...JSON.stringify(known).matchAll(/"https?:\/\/[^/"]+(\/[^"?]*)"/g)].map(
    ([, path = '']) => path,
  );
  expect(named).toContain(`${base}/protocol/openid-connect/userinfo`);
  const more = [
    '/',
    '/admin',
    '/admin/master/console/',
    '/admin/realms',
    `/admin/realms/${realm}/users`,
    `/admin/serverinfo`,
    '/health',
    '/metrics',
    '/realms/master',
    '/realms/master/protocol/openid-connect/token',
    '/realms/master/protocol/openid-connect/auth',
    base,
    `${base}/account`,
    `${base}/account/sessions`,
    `${base}/broker/x/login`,
    `${base}/broker/x/token`,
    `${base}/clients-registrations/default`,
    `${base}/login-actions/first-broker-login`,
    `${base}/protocol/openid-connect/login-status-iframe.html`,
    `${base}/protocol/saml`,
    '/resources/x/admin/x.js',
    '/resources/x/account/x.js',
  ];
  const listed = new Set(routes.map((route) => route.url));
  const shut = [...new Set([...named, ...more])].filter((path) => !listed.has(path));
  const ways = ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'];
  expect((await atProxy(anywhere(shut, ways))).filter(({ status }) => status !== 404)).toEqual([]);

  const around = ['/admin/realms', '/realms/master/protocol/openid-connect/token', `${base}/account`].flatMap(
    (path) => [
      ...pathSpellings.map((spell) => spell(path)),
      `/resources/x/login/../../..${path}`,
      `/resources/x/login/..;/..;/..;${path}`,
      `/resources/x/login/%2e%2e/%2e%2e/%2e%2e${path}`,
      `/resources/x/login/..%2f..%2f..${path}`,
      `${base}/protocol/openid-connect/auth/../../../../..${path}`,
    ],
  );
  const astray = await atProxy(anywhere(around, ['GET', 'POST']));
  expect(astray.filter((one) => opened(one) || broken(one))).toEqual([]);
});

test('the media proxy serves only public objects with any credential', async () => {
  const { publicEndpoint, buckets } = theSystem().minio;
  const { path = '', widths = [] } = offering.coverImage ?? {};
  const picture = `/${buckets.public}/${path}/${widths[0]}.webp`;
  const anonymous: Credential = { name: 'nothing', headers: {} };
  const atProxy = (attempts: Attempt[]) => attempt(publicEndpoint, attempts, from);
  const open = ['GET', 'HEAD'].map((method) => ({ method, path: picture, credential: anonymous }));
  expect((await atProxy(open)).map(({ status }) => status)).toEqual([200, 200]);

  const { accessKey } = theSystem().minio.keys.work;
  const credentials = [
    ...bad,
    bearer('the owner', owner.token),
    { name: 'an access key', headers: { authorization: `AWS4-HMAC-SHA256 Credential=${accessKey}/x` } },
  ];
  const paths = [picture, `/${buckets.public}`, `/${buckets.staging}`, `/${buckets.files}`].concat(
    `/${buckets.public}/`,
    `/${buckets.staging}/x`,
    `/${buckets.files}/${owner.uid}/x`,
    '/',
    '/minio/admin/v3/info',
    '/minio/v2/metrics/cluster',
  );
  const tried = await atProxy(
    paths.flatMap((path) =>
      methods.flatMap((method) => credentials.map((credential) => ({ method, path, credential }))),
    ),
  );
  const takesNone = credentials.filter(({ headers }) => headers.authorization).map(({ name }) => name);
  const shown = ({ path: asked, method, with: name }: AttemptResult) =>
    asked === picture && ['GET', 'HEAD'].includes(method) && !takesNone.includes(name);
  expect(tried.filter((one) => (opened(one) && !shown(one)) || broken(one))).toEqual([]);
});

test('refused attempts change nothing', async () => {
  const { token } = owner;
  expect(await fetchJson('GET', `/api/offerings/${offering.id}`, { token })).toEqual(offering);
});

test("the owner's token opens every protected route", async () => {
  // With the operator role, the owner may use all protected routes.
  await makeOperatorOf(owner.uid);
  const credential = bearer('the owner', await renewToken(owner));
  // Of the routes that end the owner's session, only one is tried, and last: all later requests would get 401.
  const endsSession = ({ method, path }: ApiRoute) =>
    method !== 'GET' && /^\/api\/account\/(sessions|sign-out)/.test(path);
  const [ending, others] = [true, false].map((ends) => closed.filter((route) => ends === endsSession(route)));
  const attempts = [...(others ?? []), ...(ending ?? []).slice(0, 1)];
  expect(attempts.length).toBe(closed.length - 1);
  for (const { method, path } of attempts) {
    const [tried] = await atSite([{ method, path: ofOwner(path), credential }]);
    expect([401, 403]).not.toContain(tried?.status);
    expect(tried?.status).toBeLessThan(500);
  }
});
