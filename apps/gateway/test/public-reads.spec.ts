import { creators, type Event, offerings } from '@stoa/contracts';
import { header } from '@stoa/messaging';
import { makeCaller, makePublicCreator, waitFor } from '@stoa/testing';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { request } from 'node:http';
import { rm } from 'node:fs/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';
import { ServiceStubs } from './service-stubs.ts';
import { makeWebRoot } from './web-root.ts';

let webRoot: string;
let gateway: GatewayUnderTest;
let replica: { url: string; stop: () => Promise<void> };
let services: ServiceStubs;
const open: { close: () => Promise<void> }[] = [];

beforeAll(async () => {
  webRoot = await makeWebRoot(`<noscript></noscript>${'<p>Stoa</p>'.repeat(200)}`);
  // With a sample of 0, every cached response takes the fast path.
  gateway = await startGatewayUnderTest({ webRoot, settings: { PUBLIC_READS_SAMPLED: '0' } });
  replica = await gateway.addReplica();
  services = new ServiceStubs(gateway);
});
afterEach(async () => {
  await services.leave();
  await Promise.all(open.splice(0).map((connection) => connection.close()));
});
afterAll(async () => {
  await replica.stop();
  await gateway.stop();
  await rm(webRoot, { recursive: true });
});

const card = (username: string, uid: string = crypto.randomUUID()) => ({
  uid,
  username,
  displayName: username,
  profileImage: null,
  niches: [],
  offeringCount: 0,
  bioPreview: '',
});
const profile = (username: string, uid: string = crypto.randomUUID()) =>
  makePublicCreator({
    ...{ uid, username, displayName: username, contactBy: 'form', email: null, bio: 'Rivers. '.repeat(200) },
  });
const factsOf = ({ uid, username }: { uid: string; username: string }) => ({
  ...{ uid, username, displayName: '', profileImageId: null, headerImageId: null, version: 2 },
});

async function announce(event: Event, facts: object): Promise<void> {
  const announcer = await gateway.connectAs(event.service as 'creators' | 'offerings');
  announcer.publish(event.subject, JSON.stringify(facts));
  await announcer.flush();
  await announcer.close();
}

const get = (path: string, headers: Record<string, string> = {}, base = gateway.url) =>
  fetch(base + path, { headers });

/** Requests an address and returns status, headers and the undecoded bytes. */
async function raw(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number | undefined;
    headers: Record<string, unknown>;
    body: Buffer;
  }>();
  const { hostname, port } = new URL(gateway.url);
  request({ hostname, port, path, headers, method }, (answer) => {
    const chunks: Buffer[] = [];
    answer.on('data', (chunk: Buffer) => chunks.push(chunk));
    answer.on('end', () => {
      const { date: _, connection: __, 'keep-alive': ___, ...compared } = answer.headers;
      resolve({ status: answer.statusCode, headers: compared, body: Buffer.concat(chunks) });
    });
  })
    .once('error', reject)
    .end();
  return promise;
}

const paths = (name: string) => [`/api/creators/${name}`, `/profile/${name}`];

test.each(['identity', 'gzip', 'br'])(
  'a cached response equals the uncached one to the last header, as %s',
  async (encoding) => {
    const name = `same-${encoding}`;
    await services.answer(creators.find, profile(name));
    await services.answer(offerings.listPublic, { items: [], pinnedId: null });
    for (const path of paths(name)) {
      const headers = { 'accept-encoding': encoding };
      const first = await raw(path, headers);
      const again = await raw(path, headers);
      expect(first.status).toBe(200);
      expect(first.headers['content-encoding'] ?? 'identity').toBe(encoding);
      expect(again).toEqual(first);
      // With a token the request takes the usual path, which must give the same response as the fast path.
      expect(await raw(path, { ...headers, authorization: 'Bearer x' })).toEqual(first);
      const plain = await raw(path);
      const open = { identity: (body: Buffer) => body, gzip: gunzipSync, br: brotliDecompressSync }[
        encoding
      ]!;
      expect(open(again.body).equals(plain.body)).toBe(true);
      const head = await raw(path, headers, 'HEAD');
      expect(head).toEqual({ ...first, body: Buffer.alloc(0) });
    }
  },
);

const problemType = expect.stringContaining('application/problem+json') as unknown;

test.each(['', '/offerings'])(
  'the fast path answers failed reads like the router, at creators/{username}%s',
  async (rest) => {
    const path = `/api/creators/nobody-at-all${rest}`;
    // With a token the request takes the usual path instead of the fast path.
    const both = () => Promise.all([raw(path), raw(path, { authorization: 'Bearer x' })]);
    await services.refuse(creators.find, 'unavailable');
    const [away, awayLong] = await both();
    expect(away).toEqual(awayLong);
    expect([away?.status, away?.headers['retry-after']]).toEqual([503, '1']);
    await services.leave();
    await services.refuse(creators.find, 'not_found');
    const [missing, missingLong] = await both();
    expect(missing).toEqual(missingLong);
    expect([missing?.status, missing?.headers['content-type']]).toEqual([404, problemType]);
    const head = await raw(path, {}, 'HEAD');
    expect([head.status, head.body.length]).toEqual([404, 0]);
  },
);

test('If-None-Match is 304, with a strong ETag per encoding', async () => {
  await services.answer(creators.find, profile('tagged'));
  const tags = [];
  for (const encoding of ['identity', 'gzip', 'br']) {
    const { headers } = await raw('/api/creators/tagged', { 'accept-encoding': encoding });
    tags.push(String(headers['etag']));
  }
  expect(new Set(tags).size).toBe(3);
  expect(tags.filter((tag) => !/^"[^"]+"$/.test(tag))).toEqual([]);
  for (const known of [...tags, `"other", ${tags[0]}`, `W/${tags[0]}`, '*']) {
    const { status, body, headers } = await raw('/api/creators/tagged', { 'if-none-match': known });
    expect([status, body.length]).toEqual([304, 0]);
    expect(headers['x-content-type-options']).toBe('nosniff');
  }
  expect((await raw('/api/creators/tagged', { 'if-none-match': '"other"' })).status).toBe(200);
});

test('concurrent reads are one request to the service (single-flight)', async () => {
  const asked = await services.answer(creators.find, profile('crowd'));
  const answers = await Promise.all(Array.from({ length: 20 }, () => get('/api/creators/crowd')));
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  // One load suffices, but on a busy machine the bus repeats a late request once.
  expect(asked.length).toBeLessThanOrEqual(2);
});

test('concurrent reads of different profiles are batched', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `batch-${index}`);
  const asked: number[] = [];
  await services.answerWith(creators.find, ({ username }) => profile(username));
  await services.answerWith(creators.findMany, ({ usernames }) => {
    asked.push(usernames.length);
    return { items: usernames.filter((name) => name !== 'batch-7').map((name) => profile(name)) };
  });
  const [one, many] = await Promise.all([
    get('/api/creators/no%20name%00'),
    Promise.all(names.map((name) => get(`/api/creators/${name.toUpperCase()}`))),
  ]);
  expect(one.status).toBe(400);
  expect(many.map(({ status }) => status)).toEqual(names.map((name) => (name === 'batch-7' ? 404 : 200)));
  const answers = (await Promise.all(many.filter(({ ok }) => ok).map((answer) => answer.json()))) as {
    username: string;
  }[];
  expect(answers.map(({ username }) => username)).toEqual(names.filter((name) => name !== 'batch-7'));
  // On a busy machine the requests arrive in several turns of the event loop, and so in several batches.
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.length).toBeLessThanOrEqual(names.length / 4);
});

test('reads beyond the bulkhead are refused, and delay neither cached responses nor other routes', async () => {
  const small = await gateway.addReplica({ PUBLIC_READS_LOADING: '2' });
  try {
    const read = (rest: string) => get(`/api/creators/${rest}`, {}, small.url);
    const known = profile('known-before');
    await services.answer(creators.find, known);
    expect((await read('known-before')).status).toBe(200);
    await services.leave();
    await services.answer(creators.browse, { items: [], nextCursor: null, total: 0, totalIsExact: true });
    const { asked, release } = await services.hold(creators.find, ({ username }) => profile(username));
    await announce(creators.changed, factsOf(known));
    let ended = 0;
    const waiting: Promise<Response>[] = [];
    for (const username of ['first', 'second']) {
      waiting.push(read(username).finally(() => (ended += 1)));
      await waitFor(async () => expect(asked).toContainEqual({ username }));
    }

    const refused = await read('third');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    await waitFor(async () => {
      const old = await read('known-before');
      expect([old.status, Number(old.headers.get('age')) > 0]).toEqual([200, true]);
    });
    expect((await read('?search=river')).status).toBe(200);
    expect(ended).toBe(0);

    release();
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200]);
    expect((await read('third')).status).toBe(200);
  } finally {
    await small.stop();
  }
});

test('two gateways show a change within a second of its event', async () => {
  const [ama, kofi] = [profile('ama'), profile('kofi')];
  const found: string[] = [];
  const find = (username: string) => {
    found.push(username);
    return username === 'ama' ? ama : kofi;
  };
  await services.answerWith(creators.find, ({ username }) => find(username));
  await services.answerWith(creators.findMany, ({ usernames }) => ({ items: usernames.map(find) }));
  const bases = [gateway.url, replica.url];
  const readAll = () =>
    Promise.all(
      bases.flatMap((base) => ['/api/creators/ama', '/api/creators/kofi'].map((path) => get(path, {}, base))),
    );
  await readAll();
  const ofKofi = () => found.filter((username) => username === 'kofi').length;
  const before = ofKofi();
  Object.assign(ama, { displayName: 'Ama Ata' });
  await announce(creators.changed, factsOf(ama));
  await waitFor(
    async () => {
      for (const base of bases)
        expect(await (await get('/api/creators/ama', {}, base)).text()).toContain('Ama Ata');
    },
    { timeout: 1000 },
  );
  await get('/api/creators/kofi');
  expect(ofKofi()).toBe(before);
});

test('events of new and removed creators invalidate the list, also while creators is down', async () => {
  const [old, fresh] = [profile('old'), profile('fresh')];
  const items = [card('old', old.uid)];
  await services.answerWith(creators.browse, () => ({
    items,
    nextCursor: null,
    total: items.length,
    totalIsExact: true,
  }));
  await services.answer(creators.find, old);
  const list = async () => (await get('/api/creators?limit=9')).text();
  expect(await list()).not.toContain('fresh');
  items.unshift(card('fresh', fresh.uid));
  await announce(creators.opened, factsOf(fresh));
  await waitFor(async () => expect(await list()).toContain('fresh'), { timeout: 20_000 });
  expect((await get('/api/creators/old')).status).toBe(200);
  await services.leave();
  await announce(creators.removed, factsOf(old));
  await waitFor(async () => expect((await get('/api/creators/old')).status).toBe(503), { timeout: 20_000 });
  expect((await get('/api/creators?limit=9')).status).toBe(503);
});

test('cached responses never depend on the visitor', async () => {
  const name = 'quiet';
  const asked: string[] = [];
  for (const [contract, reply] of [
    [creators.find, profile(name)],
    [offerings.listPublic, { items: [], pinnedId: null }],
  ] as const) {
    const connection = await gateway.connectAs(contract.service as 'creators' | 'offerings');
    open.push(connection);
    connection.subscribe(contract.subject, {
      callback: (_, message) => {
        asked.push(message.string(), message.headers?.get(header.caller) ?? '');
        message.respond(JSON.stringify(reply));
      },
    });
    await connection.flush();
  }
  const visitor = makeCaller({ username: 'canary-name' });
  const canaries = {
    authorization: `Bearer ${await gateway.token(visitor)}`,
    cookie: 'session=canary-cookie',
    'user-agent': 'canary-agent',
    'x-forwarded-for': '203.0.113.77',
    'accept-language': 'canary',
    referer: 'http://canary.example/',
  };
  for (const path of [...paths(name), `/api/creators/${name}/offerings`]) {
    const mine = await raw(`${path}?canary-query=1`, canaries);
    const theirs = await raw(path);
    expect(mine.status).toBe(200);
    expect(theirs).toEqual(mine);
    expect(JSON.stringify(theirs.headers)).not.toMatch(/canary|set-cookie|203\.0\.113/);
    expect(theirs.body.toString()).not.toMatch(/canary|203\.0\.113/);
  }
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.join()).not.toMatch(/canary|203\.0\.113/);
  expect(asked.join()).not.toContain(visitor.uid);
});

test('a stale response is served with its Age while a service hangs or is down', async () => {
  const slow = profile('slow');
  await services.answer(creators.find, slow);
  await services.answer(offerings.listPublic, { items: [], pinnedId: null });
  const etag = (await get('/api/creators/slow')).headers.get('etag') ?? '';
  const [known] = await Promise.all(
    paths('slow').map(async (path) => {
      const answer = await get(path);
      // The web app recognizes a stale answer by this header alone, since shared caches count up `Age`.
      expect([answer.headers.has('age'), answer.headers.has('server-timing')]).toEqual([false, false]);
      return answer.text();
    }),
  );
  await services.leave();
  const silent = await gateway.connectAs('creators');
  const asked: unknown[] = [];
  silent.subscribe(creators.find.subject, { callback: (_, message) => void asked.push(message.json()) });
  await silent.flush();
  await announce(creators.changed, factsOf(slow));
  for (const path of paths('slow')) {
    await waitFor(
      async () => {
        const answer = await get(path);
        expect([answer.status, answer.headers.has('age')]).toEqual([200, true]);
        expect(answer.headers.get('server-timing')).toMatch(/^age;dur=[1-9]\d*$/);
      },
      { timeout: 20_000 },
    );
  }
  expect(asked.length).toBeGreaterThan(0);
  await silent.close();
  // From here on no service answers.
  const away = await get('/api/creators/slow');
  expect([away.status, await away.text()]).toEqual([200, known]);
  await services.answer(creators.find, { ...slow, displayName: 'Back' });
  await waitFor(
    async () => {
      const back = await get('/api/creators/slow');
      expect([back.headers.has('age'), (await back.text()).includes('Back')]).toEqual([false, true]);
    },
    { timeout: 20_000 },
  );
  // A browser keeps the headers of the stale response that the 304 does not contain.
  await services.leave();
  await services.answer(creators.find, slow);
  await announce(creators.changed, factsOf(slow));
  await waitFor(async () => {
    const { status, headers } = await get('/api/creators/slow', { 'if-none-match': etag });
    expect([status, headers.get('age'), headers.get('server-timing')]).toEqual([304, '0', 'age;dur=0']);
  });
});

test('a not_found of the service evicts the cached response', async () => {
  const shy = profile('shy');
  await services.answer(creators.find, shy);
  expect((await get('/api/creators/shy')).status).toBe(200);
  await services.leave();
  await services.refuse(creators.find, 'not_found');
  await announce(creators.changed, factsOf(shy));
  await waitFor(async () => expect((await get('/api/creators/shy')).status).toBe(404), { timeout: 20_000 });
});
