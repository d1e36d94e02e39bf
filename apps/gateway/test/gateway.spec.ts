import { type Caller, creators, offerings, Problem, type PublicCreator } from '@stoa/contracts';
import { makePublicCreator, makeCaller, callerOf, waitFor } from '@stoa/testing';
import { decodeJwt } from 'jose';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';

let gateway: GatewayUnderTest;
type Connection = Awaited<ReturnType<GatewayUnderTest['connectAs']>>;
const open: Connection[] = [];

beforeAll(async () => {
  gateway = await startGatewayUnderTest();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((connection) => connection.close()));
});
afterAll(() => gateway.stop());

/** Answers requests to a service instead of it. */
async function answer(user: 'creators' | 'offerings', subject: string, reply: () => unknown) {
  const connection = await gateway.connectAs(user);
  open.push(connection);
  connection.subscribe(subject, {
    callback: (_, message) => void message.respond(JSON.stringify(reply())),
  });
  await connection.flush();
  return connection;
}

async function problemOf(response: Response): Promise<Problem> {
  expect(response.headers.get('content-type')).toContain('application/problem+json');
  return Problem.parse(await response.json());
}

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${gateway.url}${path}`, { headers });
const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  fetch(`${gateway.url}${path}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });

const publicCreator = (uid: string, username: string): PublicCreator => ({
  ...{ uid, username, displayName: 'Kept', bio: '', email: null, contactBy: 'form' },
  ...{ profileImage: null, headerImage: null, paygates: [], niches: [], links: [] },
  ...{ palette: 'plum', layout: 'list', offeringCount: 0, createdAt: new Date().toISOString() },
  socialLinks: { youtube: null, tiktok: null, instagram: null },
});

test('a service that is down is 503', async () => {
  const response = await get('/api/creators');
  expect(response.status).toBe(503);
  expect(await problemOf(response)).toMatchObject({ code: 'unavailable', status: 503 });
});

test('a service that times out is 504', async () => {
  const connection = await gateway.connectAs('creators');
  open.push(connection);
  connection.subscribe(creators.find.subject, { callback: () => undefined });
  await connection.flush();
  const response = await get('/api/creators/silent');
  expect(response.status).toBe(504);
  expect(await problemOf(response)).toMatchObject({ code: 'timeout' });
});

test('a public read is cached until an event invalidates it', async () => {
  let asked = 0;
  const uid = crypto.randomUUID();
  await answer('creators', creators.find.subject, () => {
    asked += 1;
    return { ...publicCreator(uid, 'read-twice'), offeringCount: asked };
  });
  // Without the event the gateway would serve the cached response for minutes.
  const count = async () =>
    ((await (await get('/api/creators/read-twice')).json()) as { offeringCount: number }).offeringCount;
  expect([await count(), await count()]).toEqual([1, 1]);
  const service = await gateway.connectAs('creators');
  open.push(service);
  const facts = { uid, offeringCount: 2 };
  service.publish(creators.counted.subject, JSON.stringify(facts));
  await waitFor(async () => expect(await count()).toBe(2), { timeout: 10_000 });
});

test('writers read their own writes before the event arrives', async () => {
  let listed = 0;
  const owner = makeCaller();
  const creator = publicCreator(owner.uid, 'kept');
  await answer('creators', creators.find.subject, () => creator);
  await answer('offerings', offerings.remove.subject, () => ({}));
  await answer('offerings', offerings.listPublic.subject, () => {
    listed += 1;
    return { items: [], pinnedId: null };
  });
  const list = async () => (await get('/api/creators/kept/offerings')).status;
  expect([await list(), await list(), listed]).toEqual([200, 200, 1]);
  const own = `${gateway.url}/api/offerings/${crypto.randomUUID()}`;
  const headers = { authorization: `Bearer ${await gateway.token(owner)}` };
  expect((await fetch(own, { method: 'DELETE', headers })).status).toBe(204);
  expect([await list(), listed]).toEqual([200, 2]);
});

test.each([
  ['no token', async () => ({})],
  ['no JWT', async () => ({ authorization: 'Bearer nonsense' })],
  ['a forged signature', async () => bearer({}, { forged: true })],
  ['another audience', async () => bearer({ aud: 'account' })],
  ['another issuer', async () => bearer({ iss: 'http://elsewhere/realms/stoa' })],
  ['an expired token', async () => bearer({ exp: 1_700_000_000 })],
  ['an ID token', async () => bearer({ typ: 'ID' })],
  ['a token of another client', async () => bearer({ azp: 'other' })],
] as const)('%s is refused [gateway-37]', async (_, headers) => {
  const response = await get('/api/me', await headers());
  expect(response.status).toBe(401);
  expect(await problemOf(response)).toMatchObject({ code: 'unauthenticated' });
});

test('an unsigned token is refused [gateway-38]', async () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const token = `${part({ alg: 'none' })}.${part({ sub: crypto.randomUUID(), typ: 'Bearer', azp: 'web' })}.`;
  expect((await get('/api/me', { authorization: `Bearer ${token}` })).status).toBe(401);
});

test('a valid token is accepted, and the service receives the caller [gateway-39]', async () => {
  const caller = makeCaller();
  const connection = await gateway.connectAs('offerings');
  open.push(connection);
  const { promise, resolve } = Promise.withResolvers<Caller | null>();
  connection.subscribe(offerings.listOwn.subject, {
    callback: (_, message) => {
      resolve(callerOf(message));
      message.respond(JSON.stringify({ items: [], pinnedId: null, version: 1 }));
    },
  });
  await connection.flush();
  const token = await gateway.token(caller);
  const response = await get('/api/me/offerings', { authorization: `Bearer ${token}` });
  expect(response.status).toBe(200);
  const tokenIssuedAt = new Date(Number(decodeJwt(token).iat) * 1000).toISOString();
  expect(await promise).toEqual({ ...caller, termsAcceptedAt: null, tokenIssuedAt, isOperator: false });
});

test('the service receives the time of the log-in from the token', async () => {
  const caller = makeCaller();
  const connection = await gateway.connectAs('offerings');
  open.push(connection);
  const { promise, resolve } = Promise.withResolvers<Caller | null>();
  connection.subscribe(offerings.listOwn.subject, {
    callback: (_, message) => {
      resolve(callerOf(message));
      message.respond(JSON.stringify({ items: [], pinnedId: null, version: 1 }));
    },
  });
  await connection.flush();
  const token = await gateway.token(caller, { auth_time: 1_700_000_000 });
  await get('/api/me/offerings', { authorization: `Bearer ${token}` });
  expect(await promise).toMatchObject({ uid: caller.uid, authenticatedAt: '2023-11-14T22:13:20.000Z' });
});

test('an unknown key is 401, keys that cannot be fetched are 503 [gateway-40]', async () => {
  const unknownKey = await bearer({}, { keyId: 'nobody-knows' });
  expect((await get('/api/me', unknownKey)).status).toBe(401);
  gateway.loseKeys();
  const notFetchedYet = await bearer({}, { keyId: 'not-fetched-yet' });
  // For some seconds after a fetch of keys, a token with an unknown key is refused without another fetch.
  const response = await waitFor(
    async () => {
      const answer = await get('/api/me', notFetchedYet);
      expect(answer.status).toBe(503);
      return answer;
    },
    { timeout: 15_000, interval: 200 },
  );
  expect(await problemOf(response)).toMatchObject({ code: 'unavailable' });
});

test('an unchanged public read is 304', async () => {
  await answer('creators', creators.find.subject, () => makePublicCreator({ username: 'ama' }));
  const first = await get('/api/creators/ama');
  const etag = first.headers.get('etag') ?? '';
  expect((await get('/api/creators/ama', { 'if-none-match': etag })).status).toBe(304);
});

test('invalid input is 400 with each field, before a call to a service [gateway-41]', async () => {
  const response = await post(
    '/api/contact-messages',
    JSON.stringify({ id: crypto.randomUUID(), name: ' ' }),
  );
  expect(response.status).toBe(400);
  const { errors } = await problemOf(response);
  expect(errors?.map(({ field }) => field)).toEqual(['name', 'email', 'subject', 'message']);
});

test.each([
  [
    'a body over the limit',
    413,
    () => post('/api/contact-messages', JSON.stringify({ message: 'x'.repeat(200_000) })),
  ],
  ['malformed JSON', 400, () => post('/api/contact-messages', '{')],
  ['another content type', 415, () => post('/api/contact-messages', 'x', { 'content-type': 'text/plain' })],
  ['an unknown niche', 400, () => get('/api/creators?niche=Pirate')],
  ['a page that is too long', 400, () => get('/api/creators?limit=1000')],
  ['an unknown address', 404, () => get('/api/nothing/here')],
  ['a NUL in a name', 400, () => get('/api/creators/%00')],
  ['a NUL in a search', 400, () => get('/api/creators?search=%00')],
] as const)('%s is a client error, not a 500', async (_, status, ask) => {
  const response = await ask();
  expect(response.status).toBe(status);
  await problemOf(response);
});

async function bearer(claims: Record<string, unknown>, signing?: { forged?: boolean; keyId?: string }) {
  return { authorization: `Bearer ${await gateway.token(makeCaller(), claims, signing)}` };
}
