import {
  type Caller,
  creators,
  deliveryKeyHeader,
  Download,
  type Input,
  media,
  offerings,
} from '@stoa/contracts';
import { header, replicasSubject } from '@stoa/messaging';
import { makeCaller, callerOf, makeStoredFile } from '@stoa/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';

type Asked = Input<typeof offerings.download> & { caller: Caller | null };

const creatorId = crypto.randomUUID();
const id = crypto.randomUUID();
const path = `/api/downloads/${creatorId}/${id}`;
const file = makeStoredFile();
const url = 'http://localhost:9000/stoa-files/signed';
let gateway: GatewayUnderTest;
let asked: Asked[];
/** What offerings says beside what its release before does. */
let delivered: object;
let linked: unknown[];

/** Offerings and media answer as they do for a right key; who may have the file is tested where it is decided. */
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
      void callerOf(message).then((caller) => {
        // A stub that a busy machine lets answer late is asked twice for what the gateway asked once.
        if (!message.headers?.get(header.resend)) asked.push({ ...input, caller });
        message.respond(
          JSON.stringify({ title: 'Letters', type: 'eBook', file, keyNeeded: false, ...delivered }),
        );
      });
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
      if (!message.headers?.get(header.resend)) linked.push(message.json());
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
  for (const [index, name] of ['offerings', 'media', 'creators'].entries())
    services[index]?.subscribe(replicasSubject(name), { callback: (_, ping) => void ping.respond() });
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
  const { filename, size } = known;
  // Offerings of the release before several files tells of one.
  expect(Download.parse(await response.json())).toEqual({
    title: 'Letters',
    type: 'eBook',
    description: '',
    coverImage: null,
    mediaUrl: `${url}/${file.id}`,
    file: { filename, size },
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

test('each of several files comes with a link of its own, beside text and link', async () => {
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

test('the answer is no-store and no-referrer', async () => {
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

test('a key in the query string is ignored: logs, caches and histories keep addresses', async () => {
  for (const query of ['?key=open-sesame', '?stoa-delivery-key=open-sesame'])
    expect((await get({}, query)).status).toBe(401);
  expect(asked).toEqual([]);
});

test('an overlong key is 400', async () => {
  expect((await get(key('x'.repeat(513)))).status).toBe(400);
  expect(asked).toEqual([]);
});

test('two keys are passed on as one that no offering has', async () => {
  const headers = new Headers(key('a'));
  headers.append(deliveryKeyHeader, 'b');
  await get(headers);
  expect(asked).toMatchObject([{ key: 'a, b' }]);
});

test('an empty key is passed on, and refused by offerings', async () => {
  expect((await get(key(''))).status).toBe(200);
  expect(asked).toMatchObject([{ key: '' }]);
});

test('whose offering a link is of is told without a key, by their public name alone', async () => {
  const response = await fetch(`${gateway.url}${path}/seller`);
  expect(response.status).toBe(200);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await response.json()).toEqual({ username: 'ada', displayName: 'Ada' });
});

test('guessing keys is rate-limited', async () => {
  const statuses = new Set<number>();
  for (let sent = 0; sent < 61; sent += 1) statuses.add((await get(key('guess'))).status);
  expect([...statuses]).toEqual([200, 429]);
});
