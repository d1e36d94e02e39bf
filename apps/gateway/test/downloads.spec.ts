import {
  type Caller,
  creators,
  deliveryKeyHeader,
  Download,
  type Delivery,
  type Input,
  media,
  offerings,
} from '@stoa/contracts';
import { header } from '@stoa/messaging';
import { makeCaller, callerOf, makeStoredFile } from '@stoa/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';

type Asked = Input<typeof offerings.download> & { caller: Caller | null };

const creatorId = crypto.randomUUID();
const id = crypto.randomUUID();
const path = `/api/downloads/${creatorId}/${id}`;
const file = makeStoredFile();
const delivery: Delivery = {
  title: 'Letters',
  type: 'eBook',
  description: '',
  coverImage: null,
  files: [{ ...file, note: '', updatedAt: null }],
  deliveryText: '',
  deliveryUrl: null,
  schedule: null,
  keyNeeded: false,
};
const url = 'http://localhost:9000/stoa-files/signed';
let gateway: GatewayUnderTest;
let asked: Asked[];
/** Changes that a test makes to the stub's answer. */
let delivered: object;
let linked: unknown[];

/** Stubs of offerings and media that accept every key. The tests of the offerings service cover the check of keys. */
beforeAll(async () => {
  gateway = await startGatewayUnderTest();
  const [offeringsService, mediaService, creatorsService] = await Promise.all([
    gateway.connectAs('offerings'),
    gateway.connectAs('media'),
    gateway.connectAs('creators'),
  ]);
  offeringsService.subscribe(offerings.download.subject, {
    callback: (_, message) => {
      const input = message.json<Input<typeof offerings.download>>();
      // On a busy machine the stub answers late. The bus then retries, and the retry must not count.
      if (!message.headers?.get(header.retry)) asked.push({ ...input, caller: callerOf(message) });
      message.respond(JSON.stringify({ ...delivery, ...delivered }));
    },
  });
  offeringsService.subscribe(offerings.findSeller.subject, {
    callback: (_, message) => {
      const { creatorId: uid } = message.json<Input<typeof offerings.findSeller>>();
      message.respond(JSON.stringify({ uid }));
    },
  });
  mediaService.subscribe(media.linkFile.subject, {
    callback: (_, message) => {
      if (!message.headers?.get(header.retry)) linked.push(message.json());
      const { id: fileId } = message.json<Input<typeof media.linkFile>>();
      message.respond(JSON.stringify({ url: `${url}/${fileId}`, expiresAt: new Date().toISOString() }));
    },
  });
  creatorsService.subscribe(creators.findName.subject, {
    callback: (_, message) => {
      message.respond(JSON.stringify({ username: 'ada', displayName: 'Ada' }));
    },
  });
  const services = [offeringsService, mediaService, creatorsService];
  await Promise.all(services.map((service) => service.flush()));
  return () => Promise.all(services.map((service) => service.close()));
});
beforeEach(() => {
  asked = [];
  linked = [];
  delivered = {};
});
afterAll(() => gateway.stop());

const get = (headers: RequestInit['headers'] = {}, query = '') =>
  fetch(`${gateway.url}${path}${query}`, { headers });
const key = (value = 'open-sesame') => ({ [deliveryKeyHeader]: value });
const bearer = async (caller: Caller, claims = {}) => ({
  authorization: `Bearer ${await gateway.token(caller, claims)}`,
});

test('a delivery key opens the page without an account, with a link from media', async () => {
  const response = await get(key());
  expect(response.status).toBe(200);
  const { contentType: _, ...known } = file;
  expect(Download.parse(await response.json())).toEqual({
    title: 'Letters',
    type: 'eBook',
    description: '',
    coverImage: null,
    mediaUrl: `${url}/${file.id}`,
    files: [{ ...known, note: '', updatedAt: null, mediaUrl: `${url}/${file.id}` }],
    deliveryText: '',
    deliveryUrl: null,
    keyNeeded: false,
    schedule: null,
    creator: { username: 'ada', displayName: 'Ada' },
  });
  expect(asked).toEqual([{ creatorId, id, key: 'open-sesame', caller: null }]);
  expect(linked).toEqual([{ id: file.id, uid: creatorId }]);
});

test('each file has its own link, next to the delivered text and link', async () => {
  const next = { ...makeStoredFile(), note: 'Fixed page 12', updatedAt: '2026-11-24T10:00:00.000Z' };
  const words = { deliveryText: 'Thank you!', deliveryUrl: 'https://course.example.com/in' };
  delivered = { files: [{ ...file, note: '', updatedAt: null }, next], ...words };
  const page = Download.parse(await (await get(key())).json());
  expect(page).toMatchObject({ ...words, mediaUrl: `${url}/${file.id}` });
  expect(page.files.map(({ id: of, note, mediaUrl }) => [of, note, mediaUrl])).toEqual([
    [file.id, '', `${url}/${file.id}`],
    [next.id, 'Fixed page 12', `${url}/${next.id}`],
  ]);
  expect(linked).toEqual([file, next].map(({ id: of }) => ({ id: of, uid: creatorId })));
});

test('the answer is no-store and no-referrer [gateway-28]', async () => {
  const { headers } = await get(key());
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
});

test('without a key a token is required', async () => {
  expect((await get()).status).toBe(401);
  expect(asked).toEqual([]);
  const caller = makeCaller();
  expect((await get(await bearer(caller))).status).toBe(200);
  expect(asked).toMatchObject([{ caller: { uid: caller.uid } }]);
});

test('a bad token is refused, unless there is a key', async () => {
  const expired = await bearer(makeCaller(), { exp: 1_700_000_000 });
  expect((await get(expired)).status).toBe(401);
  expect((await get({ ...key(), ...expired })).status).toBe(200);
  expect(asked).toMatchObject([{ caller: null }]);
});

test('a key in the query string is ignored: logs, caches and histories keep addresses [gateway-29]', async () => {
  for (const query of ['?key=open-sesame', '?stoa-delivery-key=open-sesame'])
    expect((await get({}, query)).status).toBe(401);
  expect(asked).toEqual([]);
});

test('an overlong key is 400', async () => {
  expect((await get(key('x'.repeat(513)))).status).toBe(400);
  expect(asked).toEqual([]);
});

test('two keys are passed on as one invalid key', async () => {
  const headers = new Headers(key('a'));
  headers.append(deliveryKeyHeader, 'b');
  await get(headers);
  expect(asked).toMatchObject([{ key: 'a, b' }]);
});

test('an empty key is passed on to offerings', async () => {
  expect((await get(key(''))).status).toBe(200);
  expect(asked).toMatchObject([{ key: '' }]);
});

test('the seller of a link is readable without a key, as a public name only', async () => {
  const response = await fetch(`${gateway.url}${path}/seller`);
  expect(response.status).toBe(200);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await response.json()).toEqual({ username: 'ada', displayName: 'Ada' });
});

test('guessing keys is rate-limited [gateway-30]', async () => {
  const statuses = new Set<number>();
  for (let sent = 0; sent < 61; sent += 1) statuses.add((await get(key('guess'))).status);
  expect([...statuses]).toEqual([200, 429]);
});
