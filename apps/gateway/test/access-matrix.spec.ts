import {
  contact,
  creators,
  deliveryKeyHeader,
  identity,
  media,
  offerings,
  type Request,
} from '@stoa/contracts';
import { aCaller } from '@stoa/testing';
import { Agent, request as send } from 'node:http';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { badCredentials, type Credential } from './credentials.ts';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';
import { StandIns } from './stand-ins.ts';

/** Who each route is for. A route that is not here fails the first test. */
const routes: Record<string, 'creator' | 'key' | 'public'> = {
  'POST /api/session': 'creator',
  'GET /api/account/sessions': 'creator',
  'DELETE /api/account/sessions/{id}': 'creator',
  'POST /api/account/sign-out-everywhere': 'creator',
  'GET /api/me': 'creator',
  'PUT /api/me/profile': 'creator',
  'GET /api/me/offerings': 'creator',
  'GET /api/me/held-messages': 'creator',
  'POST /api/me/proof-mails': 'creator',
  'POST /api/offerings': 'creator',
  'GET /api/offerings/{id}': 'creator',
  'PUT /api/offerings/{id}': 'creator',
  'DELETE /api/offerings/{id}': 'creator',
  'POST /api/offerings/{id}/delivery-key': 'creator',
  'POST /api/uploads': 'creator',
  'POST /api/uploads/{id}/complete': 'creator',
  'POST /api/uploads/{id}/complete-file': 'creator',
  'GET /api/downloads/{creatorId}/{offeringId}': 'key',
  'GET /api/creators': 'public',
  'GET /api/creators/{username}': 'public',
  'GET /api/creators/{username}/offerings': 'public',
  'POST /api/creators/{username}/messages': 'public',
  'POST /api/contact-messages': 'public',
  'POST /api/account-changes/undo': 'public',
  'GET /api/config': 'public',
};

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY', 'TRACE', 'PROPFIND'];

/** Other ways to write a path, which some server or proxy takes for the same. */
const tricks: ((path: string) => string)[] = [
  (path) => `${path}/`,
  (path) => `${path}//`,
  (path) => `/${path}`,
  (path) => path.replace('/api/', '/api//'),
  (path) => path.replace('/api/', '/api/./'),
  (path) => path.replace('/api/', '/api/x/../'),
  (path) => path.replace('/api/', '/x/../api/'),
  (path) => path.replace('/api/', '/%2e%2e/api/'),
  (path) => path.replace('/api/', '/%61pi/'),
  (path) => path.replace('/api/', '/api%2f'),
  (path) => path.replace('/api/', '/api%5c'),
  (path) => path.replace('/api/', '/api\\'),
  (path) => path.replace('/api/', '/;/api/'),
  (path) => path.replace('/api/', '/api;x=1/'),
  (path) => path.replace('/api/', '/about/..;/api/'),
  (path) => path.toUpperCase(),
  (path) => `${path};x=1`,
  (path) => `${path}.json`,
  (path) => `${path}%00`,
  (path) => `${path}%20`,
  (path) => `${path}%0a`,
  (path) => `${path}%2f`,
  (path) => `${path}/.`,
  (path) => `${path}/%2e`,
  (path) => `${path}?_method=GET`,
  (path) => `${path}#x`,
  (path) => `http://localhost${path}`,
];

let webRoot: string;
let gateway: GatewayUnderTest;
let services: StandIns;
let bad: Credential[];
/** What reached a service, whatever it was asked. */
let reached: unknown[][];
const agent = new Agent({ keepAlive: true, maxSockets: 16 });

beforeAll(async () => {
  webRoot = await mkdtemp(join(tmpdir(), 'stoa-web-'));
  await writeFile(join(webRoot, 'page-files.json'), '{}');
  await writeFile(join(webRoot, 'index.html'), '<html><head><title>Stoa</title></head><body></body></html>');
  const limit = '1000000';
  gateway = await startGatewayUnderTest({
    webRoot,
    settings: {
      RATE_LIMIT_PER_MINUTE: limit,
      DOWNLOAD_LIMIT_PER_MINUTE: limit,
      PAGE_LIMIT_PER_MINUTE: limit,
    },
  });
  services = new StandIns(gateway);
  const requests = [contact, creators, identity, media, offerings]
    .flatMap((contract) => Object.values(contract))
    .filter(({ kind }) => kind === 'request') as Request[];
  reached = await Promise.all(
    requests
      .filter(({ askers }) => askers.includes('gateway'))
      .map((request) => services.refuse(request, 'not_found')),
  );
  bad = await badCredentials(gateway, aCaller());
});
afterAll(async () => {
  agent.destroy();
  await services.leave();
  await gateway.stop();
  await rm(webRoot, { recursive: true });
});

const count = () => reached.flat().length;

function statusOf(method: string, path: string, headers: Record<string, string>): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const { hostname, port } = new URL(gateway.url);
  const ask = send({ agent, hostname, port, method, path, headers }, (response) => {
    response.resume().on('end', () => resolve(response.statusCode ?? 0));
  });
  ask.on('error', reject);
  ask.end();
  return promise;
}

interface Tried {
  readonly method: string;
  readonly path: string;
  readonly with: string;
  readonly status: number;
}

async function attempt(tries: [method: string, path: string, credential: Credential][]): Promise<Tried[]> {
  const results: Tried[] = [];
  const left = tries.values();
  const worker = async () => {
    for (const [method, path, { name, headers, query }] of left) {
      const whole = query ? `${path}?${query}` : path;
      results.push({ method, path: whole, with: name, status: await statusOf(method, whole, headers) });
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  return results;
}

const filled = (path: string) =>
  path.replace(/\{username\}/g, 'ama').replace(/\{\w+\}/g, crypto.randomUUID());
const closed = () => Object.entries(routes).filter(([, who]) => who !== 'public');
const split = (route: string) => route.split(' ') as [method: string, path: string];

test('every route of the API has a row, and every row is a route', async () => {
  const { paths } = (await (await fetch(`${gateway.url}/api/openapi.json`)).json()) as {
    paths: Record<string, Record<string, unknown>>;
  };
  const described = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(described.toSorted()).toEqual(Object.keys(routes).toSorted());
});

test('no bad credential opens a closed route, by any method, and none reaches a service', async () => {
  expect(bad.length).toBeGreaterThan(38);
  const paths = new Set(closed().map(([route]) => split(route)[1]));
  const before = count();
  const tried = await attempt(
    [...paths].flatMap((path) =>
      methods.flatMap((method) =>
        bad.map((credential): [string, string, Credential] => [method, filled(path), credential]),
      ),
    ),
  );
  expect(tried.length).toBeGreaterThan(5000);
  expect(tried.filter(({ status, method }) => status < 400 && method !== 'OPTIONS')).toEqual([]);
  expect(tried.filter(({ status }) => status >= 500)).toEqual([]);
  const right = new Set(closed().map(([route]) => split(route)[0]));
  expect(right).toContain('DELETE');
  expect(count()).toBe(before);
}, 60_000);

test('whoever comes to a closed route with a bad credential is told 401', async () => {
  const tried = await attempt(
    closed().flatMap(([route]) => {
      const [method, path] = split(route);
      return bad.map((credential): [string, string, Credential] => [method, filled(path), credential]);
    }),
  );
  expect(tried.filter(({ status }) => status !== 401)).toEqual([]);
});

test('no other way to write a path opens a closed route', async () => {
  const before = count();
  const few = bad.filter(({ name }) =>
    ['anonymous', 'alg "none"', 'wrong issuer, good signature'].includes(name),
  );
  expect(few).toHaveLength(3);
  const tried = await attempt(
    closed().flatMap(([route]) => {
      const [own, path] = split(route);
      return tricks.flatMap((trick) =>
        [...new Set([own, 'GET', 'POST', 'HEAD'])].flatMap((method) =>
          few.map((credential): [string, string, Credential] => [method, trick(filled(path)), credential]),
        ),
      );
    }),
  );
  expect(tried.length).toBeGreaterThan(3000);
  expect(tried.filter(({ status }) => status < 400)).toEqual([]);
  expect(tried.filter(({ status }) => status >= 500)).toEqual([]);
  expect(count()).toBe(before);
}, 60_000);

test('a good token passes the gate of every closed route', async () => {
  const good = { name: 'owner', headers: { authorization: `Bearer ${await gateway.token(aCaller())}` } };
  const before = count();
  const tried = await attempt(
    closed().map(([route]): [string, string, Credential] => {
      const [method, path] = split(route);
      return [method, filled(path), good];
    }),
  );
  expect(tried.filter(({ status }) => status === 401 || status === 403 || status >= 500)).toEqual([]);
  expect(count()).toBeGreaterThan(before);
});

test('a bad credential closes no public route', async () => {
  const open = Object.entries(routes).filter(([, who]) => who === 'public');
  const tried = await attempt(
    open.flatMap(([route]) => {
      const [method, path] = split(route);
      return bad.map((credential): [string, string, Credential] => [method, filled(path), credential]);
    }),
  );
  expect(tried.filter(({ status }) => status === 401 || status === 403 || status >= 500)).toEqual([]);
});

test('a key opens the download page alone', async () => {
  const key = { name: 'a key', headers: { [deliveryKeyHeader]: 'k'.repeat(32) } };
  const tried = await attempt(
    closed().map(([route]): [string, string, Credential] => {
      const [method, path] = split(route);
      return [method, filled(path), key];
    }),
  );
  expect(tried.filter(({ status }) => status !== 401).map(({ path }) => path)).toEqual([
    expect.stringMatching(/^\/api\/downloads\//),
  ]);
});
