import { creators, type Event, offerings } from '@stoa/contracts';
import { makeOfferingFacts, waitFor } from '@stoa/testing';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';
import { ServiceStubs } from './service-stubs.ts';

let gateway: GatewayUnderTest;
let services: ServiceStubs;

beforeAll(async () => {
  gateway = await startGatewayUnderTest();
  services = new ServiceStubs(gateway);
});
afterEach(() => services.leave());
afterAll(() => gateway.stop());

async function announce(event: Event, facts: object): Promise<void> {
  const announcer = await gateway.connectAs(event.service as 'creators' | 'offerings');
  announcer.publish(event.subject, JSON.stringify(facts));
  await announcer.flush();
  await announcer.close();
}

const get = (path: string) => fetch(gateway.url + path);

const card = (username: string) => ({
  ...{ uid: crypto.randomUUID(), username, displayName: username, profileImage: null },
  ...{ niches: [], offeringCount: 0, bioPreview: '' },
});
const thumbnail = (name: string) => ({
  ...{ path: `offering_images/${name}`, widths: [320], width: 320, height: 240, color: '#aabbcc' },
});

/** Stubs the services with these creators. Returns functions to read the list, and the recorded requests. */
async function listWithThumbnails(shown: readonly ReturnType<typeof card>[], limit: number) {
  const covers = new Map<string, string>(shown.map(({ uid, username }) => [uid, username]));
  await services.answer(creators.browse, {
    items: shown,
    nextCursor: null,
    total: shown.length,
    totalIsExact: true,
  });
  const asked = await services.answerWith(offerings.listThumbnails, ({ creatorIds }) => ({
    lists: creatorIds.flatMap((creatorId) => {
      const cover = covers.get(creatorId);
      return cover ? [{ creatorId, items: [thumbnail(cover)] }] : [];
    }),
  }));
  const path = `/api/creators?limit=${limit}`;
  const read = async () => {
    const { items } = (await (await get(path)).json()) as {
      items: { username: string; thumbnails?: { path: string }[] }[];
    };
    return Object.fromEntries(
      items.map(({ username, thumbnails }) => [username, thumbnails?.map((file) => file.path)]),
    );
  };
  return { covers, asked, path, read };
}

const selling = (username: string) => ({ ...card(username), offeringCount: 2 });
const offeringFacts = (creatorId: string, publicChange: number) =>
  makeOfferingFacts({ creatorId, publicChange, version: 2 });

test('thumbnails of a page are one request, and an event about offerings invalidates only their pages [gateway-25]', async () => {
  const [ama, kofi, idle] = [selling('ama'), selling('kofi'), card('idle')];
  const { covers, asked, read } = await listWithThumbnails([ama, kofi, idle], 11);
  const first = { ama: ['offering_images/ama'], kofi: ['offering_images/kofi'], idle: [] };
  await waitFor(async () => expect(await read()).toEqual(first), { timeout: 20_000 });
  expect(asked).toEqual([{ creatorIds: [ama.uid, kofi.uid] }]);
  // These events make the list stale, but not the thumbnails of its creators.
  await announce(creators.counted, { uid: idle.uid, offeringCount: 0 });
  await announce(offerings.changed, offeringFacts(idle.uid, 0));
  expect(await read()).toEqual(first);
  covers.set(kofi.uid, 'another');
  await announce(offerings.changed, offeringFacts(kofi.uid, 0));
  const changed = { ...first, kofi: ['offering_images/another'] };
  await waitFor(async () => expect(await read()).toEqual(changed), { timeout: 20_000 });
  covers.delete(ama.uid);
  await announce(offerings.removed, offeringFacts(ama.uid, -1));
  await waitFor(async () => expect(await read()).toEqual({ ...changed, ama: [] }), { timeout: 20_000 });
  expect(new Set(asked.map((input) => JSON.stringify(input))).size).toBe(1);
});

test('during an outage of offerings the list shows stale thumbnails, but no withdrawn ones [gateway-26]', async () => {
  const [esi, yaw] = [selling('esi'), selling('yaw')];
  const { path, read } = await listWithThumbnails([esi, yaw], 12);
  const known = { esi: ['offering_images/esi'], yaw: ['offering_images/yaw'] };
  await waitFor(async () => expect(await read()).toEqual(known), { timeout: 20_000 });
  await services.leave();
  const page = { items: [esi, yaw], nextCursor: null, total: 2, totalIsExact: true };
  await services.answer(creators.browse, page);
  await announce(offerings.changed, offeringFacts(yaw.uid, 0));
  await waitFor(async () => expect((await get(path)).headers.has('age')).toBe(true), { timeout: 20_000 });
  expect(await read()).toEqual(known);
  await announce(offerings.changed, offeringFacts(esi.uid, -1));
  const none = { esi: undefined, yaw: undefined };
  await waitFor(async () => expect(await read()).toEqual(none), { timeout: 20_000 });
  expect((await get(path)).status).toBe(200);
});
