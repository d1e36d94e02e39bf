import { creators, offerings } from '@stoa/contracts';
import { makeCaller, makeOffering, makePublicCreator, randomPicture } from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';
import { ServiceStubs } from './service-stubs.ts';

const caller = makeCaller();
let gateway: GatewayUnderTest;
let services: ServiceStubs;
let authorization: string;

beforeAll(async () => {
  gateway = await startGatewayUnderTest();
  services = new ServiceStubs(gateway);
  authorization = `Bearer ${await gateway.token(caller)}`;
});
afterEach(() => services.leave());
afterAll(() => gateway.stop());

const at = '2026-01-01T00:00:00.000Z';
const profile = (more: object = {}) => ({
  ...makePublicCreator({ uid: caller.uid, username: caller.username, email: caller.email }),
  ...{ email: caller.email, emailVerified: true, published: true, isPublic: true, takenDown: false },
  updatedAt: at,
  version: 7,
  ...more,
});
const offering = makeOffering({
  ...{ id: randomUUID(), creatorId: caller.uid, title: 'A letter', slug: 'a-letter', publishedAt: at },
  coverImage: randomPicture(),
  version: 3,
});
const profileForm = {
  displayName: 'Ama',
  bio: '',
  paygates: [],
  socialLinks: { youtube: null, tiktok: null, instagram: null },
  niches: [],
};
const { title, description, price, type, paymentUrl, productUrl } = offering;
const routes = [
  { path: '/api/me', edits: '/api/me/profile', reads: creators.readOwn, changes: creators.update },
  {
    path: `/api/offerings/${offering.id}`,
    edits: `/api/offerings/${offering.id}`,
    reads: offerings.readOwn,
    changes: offerings.update,
  },
  {
    path: '/api/me/offerings',
    edits: '/api/me/offerings/order',
    reads: offerings.listOwn,
    changes: offerings.reorder,
  },
] as const;
const list = { items: [offering], pinnedId: null, version: 5 };
const bodies: Record<string, object> = {
  '/api/me/profile': profileForm,
  '/api/me/offerings/order': { ids: [offering.id], pinnedId: null },
};
const storedOf = (path: string) =>
  path === '/api/me' ? profile() : path === '/api/me/offerings' ? list : offering;
const bodyOf = (path: string) => bodies[path] ?? { title, description, price, type, paymentUrl, productUrl };

const read = (path: string) => fetch(gateway.url + path, { headers: { authorization } });
const edit = (path: string, body: object, ifMatch?: string) =>
  fetch(gateway.url + path, {
    method: 'PUT',
    body: JSON.stringify(body),
    headers: {
      authorization,
      'content-type': 'application/json',
      ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    },
  });

test.each(routes)('the ETag of $path is the version for If-Match', async (route) => {
  const stored = storedOf(route.path);
  await services.answer(route.reads, stored);
  const asked = await services.answer(route.changes, { ...stored, version: stored.version + 1 });
  const tag = (await read(route.path)).headers.get('etag') ?? '';
  expect(tag).toMatch(new RegExp(`^"${stored.version}\\.`));

  const saved = await edit(route.edits, bodyOf(route.edits), tag);
  expect(saved.headers.get('etag')).toMatch(new RegExp(`^"${stored.version + 1}\\.`));
  for (const same of [`W/${tag}`, `"${stored.version}"`]) await edit(route.edits, bodyOf(route.edits), same);
  for (const any of [undefined, '*']) await edit(route.edits, bodyOf(route.edits), any);
  const versions = asked.map((input) => (input as { editedVersion?: number }).editedVersion);
  expect(versions).toEqual([stored.version, stored.version, stored.version, undefined, undefined]);
});

test.each(routes)('$edits with a stale If-Match is 412', async (route) => {
  await services.refuse(route.changes, 'precondition_failed');
  const response = await edit(route.edits, bodyOf(route.edits), '"1"');
  expect(response.status).toBe(412);
  expect(await response.json()).toMatchObject({ code: 'precondition_failed', status: 412 });
});

test.each(routes)('$edits without a required fresh log-in is 403', async (route) => {
  await services.refuse(route.changes, 'fresh_login_required');
  const response = await edit(route.edits, bodyOf(route.edits));
  expect(response.headers.get('content-type')).toContain('application/problem+json');
  expect(await response.json()).toMatchObject({ code: 'fresh_login_required', status: 403 });
});

test.each(['"nonsense"', '7', '"7", "8"', '""', '"99999999999"'])('If-Match %s is refused', async (tag) => {
  const asked = await services.answer(creators.update, profile());
  const response = await edit('/api/me/profile', profileForm, tag);
  expect(response.status).toBe(412);
  expect(asked).toEqual([]);
});

test('the ETag changes with the content, also for the same version', async () => {
  await services.answer(creators.readOwn, profile());
  const before = (await read('/api/me')).headers.get('etag');
  await services.leave();
  await services.answer(creators.readOwn, profile({ offeringCount: 9 }));
  expect((await read('/api/me')).headers.get('etag')).not.toBe(before);
});
