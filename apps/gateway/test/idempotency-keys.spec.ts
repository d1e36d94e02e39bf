import { creators, media, offerings, type Request } from '@stoa/contracts';
import { header } from '@stoa/messaging';
import { makeCaller, makeOffering, makePublicCreator, type NatsUser, randomPicture } from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';

const caller = makeCaller();
let gateway: GatewayUnderTest;
let authorization: string;
const open: { close: () => Promise<void> }[] = [];

beforeAll(async () => {
  gateway = await startGatewayUnderTest();
  authorization = `Bearer ${await gateway.token(caller)}`;
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((connection) => connection.close()));
});
afterAll(() => gateway.stop());

const at = '2026-01-01T00:00:00.000Z';
const profile = {
  ...makePublicCreator({ uid: caller.uid, username: caller.username, email: caller.email }),
  ...{ emailVerified: true, published: true, isPublic: true, takenDown: false, updatedAt: at, version: 7 },
};
const profileForm = {
  ...{ displayName: 'Ama', bio: '', paygates: [], niches: [] },
  socialLinks: { youtube: null, tiktok: null, instagram: null },
};
const offeringForm = {
  ...{ title: 'A letter', description: '', price: '€1', type: 'eBook' },
  ...{ paymentUrl: 'https://pay.example.com/', productUrl: null },
};

/** Stubs a request of a service, and records its keys and inputs. */
async function serve(request: Request, reply: (input: { id?: string }) => object) {
  const sent: { key: string | undefined; input: { id?: string } }[] = [];
  const connection = await gateway.connectAs(request.service as NatsUser);
  open.push(connection);
  connection.subscribe(request.subject, {
    callback: (_, message) => {
      const input = message.json<{ id?: string }>();
      sent.push({ key: message.headers?.get(header.key) || undefined, input });
      message.respond(JSON.stringify(reply(input)));
    },
  });
  await connection.flush();
  return sent;
}

const send = (method: string, path: string, key: string | undefined, body?: object, more: object = {}) =>
  fetch(gateway.url + path, {
    method,
    headers: {
      authorization,
      ...(body && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
      ...more,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
const save = (key?: string, body: object = profileForm, more: object = {}) =>
  send('PUT', '/api/me/profile', key, body, more);

test('a repeat of a write carries the same key to the service, also as a quoted string [gateway-83]', async () => {
  const sent = await serve(creators.update, () => profile);
  const key = randomUUID();
  for (const as of [key, key, `"${key}"`]) expect((await save(as)).status).toBe(200);
  const keys = sent.map((one) => one.key);
  expect(keys[0]).toMatch(/^[\w-]{16,64}$/);
  expect(new Set(keys).size).toBe(1);
});

test('another body, address or If-Match under the same key is another write', async () => {
  const sent = await serve(creators.update, () => profile);
  const key = randomUUID();
  await save(key);
  await save(key, { ...profileForm, bio: 'Another.' });
  await save(key, profileForm, { 'if-match': '"7"' });
  const other = await serve(offerings.remove, () => ({}));
  for (const id of [randomUUID(), randomUUID()]) await send('DELETE', `/api/offerings/${id}`, key);
  const keys = [...sent, ...other].map((one) => one.key);
  expect(keys.every((one) => one !== undefined)).toBe(true);
  expect(new Set(keys).size).toBe(5);
});

test('a write without a key and every read carry no key to the service', async () => {
  const written = await serve(creators.update, () => profile);
  const read = await serve(creators.readOwn, () => profile);
  await save();
  await send('GET', '/api/me', randomUUID());
  expect([...written, ...read].map(({ key }) => key)).toEqual([undefined, undefined]);
});

test('a repeat of a new offering without an id has the same id, unless another caller sends it', async () => {
  const sent = await serve(offerings.create, ({ id }) => makeOffering({ id, creatorId: caller.uid }));
  const cover = randomPicture();
  await serve(media.resolve, () => cover);
  const key = randomUUID();
  const form = { ...offeringForm, coverImageId: cover.id };
  const post = (more: object = {}) => send('POST', '/api/offerings', key, form, more);
  for (const _ of [1, 2]) expect((await post()).status).toBe(201);
  const stranger = `Bearer ${await gateway.token(makeCaller())}`;
  await post({ authorization: stranger });
  const ids = sent.map(({ input }) => input.id);
  expect(ids[1]).toBe(ids[0]);
  expect(ids[2]).not.toBe(ids[0]);
});

test.each(['short', 'x'.repeat(65), 'a key with blanks in it', '"unclosed-0123456789'])(
  'the key %j is refused before a call to a service',
  async (key) => {
    const sent = await serve(creators.update, () => profile);
    const response = await save(key);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'invalid_input' });
    expect(sent).toEqual([]);
  },
);
