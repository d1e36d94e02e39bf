import {
  type Caller,
  contact,
  creators,
  deliveryKeyHeader,
  identity,
  media,
  offerings,
  type Request,
} from '@stoa/contracts';
import {
  makeCaller,
  apiAccess,
  type ApiRoute,
  apiRoutes,
  type Attempt,
  attempt,
  type Credential,
  methods,
  pathSpellings,
} from '@stoa/testing';
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { badCredentials } from './credentials.ts';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';
import { ServiceStubs } from './service-stubs.ts';
import { makeWebRoot } from './web-root.ts';

let webRoot: string;
let gateway: GatewayUnderTest;
let services: ServiceStubs;
let bad: Credential[];
/** The inputs of all requests that the gateway has sent to a service. */
let reached: unknown[][];

beforeAll(async () => {
  webRoot = await makeWebRoot('');
  const limit = '1000000';
  gateway = await startGatewayUnderTest({
    webRoot,
    settings: {
      RATE_LIMIT_PER_MINUTE: limit,
      DOWNLOAD_LIMIT_PER_MINUTE: limit,
      PAGE_LIMIT_PER_MINUTE: limit,
    },
  });
  services = new ServiceStubs(gateway);
  const requests = [contact, creators, identity, media, offerings]
    .flatMap((contract) => Object.values(contract))
    .filter(({ kind }) => kind === 'request') as Request[];
  reached = await Promise.all(
    requests
      .filter(({ callers }) => callers.includes('gateway'))
      // The gateway itself sends this request, so it does not count.
      .filter(({ subject }) => subject !== media.takeExport.subject)
      .map((request) => services.refuse(request, 'not_found')),
  );
  bad = await badCredentials(gateway, makeCaller());
});
afterAll(async () => {
  await services.leave();
  await gateway.stop();
  await rm(webRoot, { recursive: true });
});

const count = () => reached.flat().length;

const tries = (attempts: Attempt[]) => attempt(gateway.url, attempts);

const filled = (path: string) =>
  path.replace(/\{username\}/g, 'ama').replace(/\{\w+\}/g, crypto.randomUUID());
/** One credential of each kind that must be refused: missing, forged, and signed by another issuer. */
function fewBad(): Credential[] {
  const kinds = ['anonymous', 'alg "none"', 'wrong issuer, good signature'];
  const few = bad.filter(({ name }) => kinds.includes(name));
  expect(few).toHaveLength(kinds.length);
  return few;
}

const closed = apiRoutes.filter(({ who }) => who !== 'public');
const each = (routes: readonly ApiRoute[], credentials: readonly Credential[]): Attempt[] =>
  routes.flatMap(({ method, path }) =>
    credentials.map((credential) => ({ method, path: filled(path), credential })),
  );

test('the access matrix has exactly the routes of the API [gateway-19]', async () => {
  const { paths } = (await (await fetch(`${gateway.url}/api/openapi.json`)).json()) as {
    paths: Record<string, Record<string, unknown>>;
  };
  const described = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(described.toSorted()).toEqual(Object.keys(apiAccess).toSorted());
});

test('the OpenAPI document declares the access level of each route', async () => {
  const { paths } = (await (await fetch(`${gateway.url}/api/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { security: object[] }>>;
  };
  const declared = {
    public: [{}],
    creator: [{ bearer: [] }],
    key: [{ bearer: [] }, {}],
    operator: [{ bearer: [] }],
  };
  for (const { method, path, who } of apiRoutes)
    expect([path, paths[path]?.[method.toLowerCase()]?.security]).toEqual([path, declared[who]]);
});

test('a protected route refuses bad credentials with every method, before a call to a service [gateway-20]', async () => {
  const before = count();
  const anyMethod = [...new Set(closed.map(({ path }) => path))].flatMap((path) =>
    methods.map((method): ApiRoute => ({ method, path, who: 'creator' })),
  );
  // Three credentials suffice here, because the next test tries all of them on the existing routes.
  const tried = await tries(each(anyMethod, fewBad()));
  expect(tried.length).toBeGreaterThan(500);
  expect(tried.filter(({ status, method }) => status < 400 && method !== 'OPTIONS')).toEqual([]);
  expect(tried.filter(({ status }) => status >= 500)).toEqual([]);
  expect(closed.map(({ method }) => method)).toContain('DELETE');
  expect(count()).toBe(before);
});

test('a protected route answers every bad credential with 401, before a call to a service [gateway-21]', async () => {
  expect(bad.length).toBeGreaterThan(38);
  const before = count();
  const tried = await tries(each(closed, bad));
  expect(tried.filter(({ status }) => status !== 401)).toEqual([]);
  expect(count()).toBe(before);
});

test('no other spelling of a path opens a protected route [gateway-22]', async () => {
  const before = count();
  const tried = await tries(
    closed.flatMap(({ method: own, path }) =>
      pathSpellings.flatMap((spell, index) =>
        [...new Set([own, 'GET', 'POST', 'HEAD'])].map((method) => {
          // A spelling is refused with every kind of credential, so the three kinds take turns.
          const credential = fewBad()[index % 3]!;
          return { method, path: spell(filled(path)), credential };
        }),
      ),
    ),
  );
  expect(tried.length).toBeGreaterThan(1000);
  expect(tried.filter(({ status }) => status < 400)).toEqual([]);
  expect(tried.filter(({ status }) => status >= 500)).toEqual([]);
  expect(count()).toBe(before);
});

const tokenOf = async (of: Partial<Caller>): Promise<Credential> => ({
  name: 'a valid token',
  headers: { authorization: `Bearer ${await gateway.token(makeCaller(of))}` },
});

test("a creator's token without the role opens no route of operators, and calls no service [gateway-23]", async () => {
  const operators = apiRoutes.filter(({ who }) => who === 'operator');
  expect(operators.length).toBeGreaterThan(1);
  const before = count();
  const tried = await tries(each(operators, [await tokenOf({})]));
  expect(tried.filter(({ status }) => status !== 403)).toEqual([]);
  expect(count()).toBe(before);
});

test('a valid token opens every protected route', async () => {
  const before = count();
  const tried = await tries(each(closed, [await tokenOf({ isOperator: true })]));
  expect(tried.filter(({ status }) => status === 401 || status === 403 || status >= 500)).toEqual([]);
  expect(count()).toBeGreaterThan(before);
});

test('an id in uppercase reaches services in lowercase, on every route with an id in its path', async () => {
  // Session ids are excluded, because Keycloak makes them and their letter case matters.
  const routes = apiRoutes.filter(({ path }) => /\{\w*[iI]d\}/.test(path) && !path.includes('/sessions/'));
  expect(routes.length).toBeGreaterThan(10);
  const credential = await tokenOf({ isOperator: true });
  const key = { [deliveryKeyHeader]: 'k'.repeat(32) };
  const id = 'ABCDEF01-2345-4789-8ABC-DEF012345678';
  const before = count();
  for (const { method, path } of routes) {
    const spelt = path.replace('{username}', 'ama').replace(/\{\w*[iI]d\}/g, id);
    const body = ['POST', 'PUT'].includes(method) ? { id, text: 'Text.' } : undefined;
    const headers = { ...credential.headers, ...key };
    await tries([{ method, path: spelt, credential: { ...credential, headers }, body }]);
    expect([path, JSON.stringify(reached)]).toEqual([path, expect.not.stringContaining(id)]);
  }
  const asked = JSON.stringify(reached).split(id.toLowerCase()).length - 1;
  expect([asked > 8, count() > before + 8]).toEqual([true, true]);
});

test('a public route ignores a bad credential', async () => {
  const open = apiRoutes.filter(({ who }) => who === 'public');
  const tried = await tries(each(open, bad));
  expect(tried.filter(({ status }) => status === 401 || status === 403 || status >= 500)).toEqual([]);
});

test('a delivery key opens only the download page', async () => {
  const key = { name: 'a key', headers: { [deliveryKeyHeader]: 'k'.repeat(32) } };
  const tried = await tries(each(closed, [key]));
  expect(tried.filter(({ status }) => status !== 401).map(({ path }) => path)).toEqual([
    expect.stringMatching(/^\/api\/downloads\//),
  ]);
});
