import { creators, offerings } from '@stoa/contracts';
import { waitFor } from '@stoa/testing';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { rm } from 'node:fs/promises';
import { PublicReads } from '../src/reads/public-reads.ts';
import { tags } from '../src/reads/tags.ts';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';
import { ServiceStubs } from './service-stubs.ts';
import { makeWebRoot } from './web-root.ts';

let webRoot: string;
let gateway: GatewayUnderTest;
let services: ServiceStubs;

beforeAll(async () => {
  webRoot = await makeWebRoot();
  gateway = await startGatewayUnderTest({ webRoot });
  services = new ServiceStubs(gateway);
});
afterEach(() => services.leave());
afterAll(async () => {
  await gateway.stop();
  await rm(webRoot, { recursive: true });
});

const get = (path: string) => fetch(gateway.url + path);

const profile = (username: string) => ({
  uid: crypto.randomUUID(),
  username,
  displayName: username,
  profileImage: null,
  headerImage: null,
  bio: 'Rivers.',
  niches: [],
  offeringCount: 0,
  contactBy: 'form',
  email: null,
  paygates: [],
  socialLinks: { youtube: null, tiktok: null, instagram: null },
  createdAt: '2026-01-01T00:00:00.000Z',
});

test('concurrent reads of different lists of offerings are batched', async () => {
  const people = Array.from({ length: 20 }, (_, index) => profile(`shelf-${index}`));
  const known = new Map(people.map((one) => [one.username, one]));
  const find = (username: string) => known.get(username) ?? profile(username);
  const asked: number[] = [];
  // By whose list it is, so that none is taken for another's.
  const listOf = (creatorId: string) => ({ items: [], pinnedId: creatorId });
  await services.work(creators.find, ({ username }) => find(username));
  await services.work(creators.findMany, ({ usernames }) => ({ items: usernames.map(find) }));
  await services.work(offerings.listPublic, ({ creatorId }) => listOf(creatorId));
  await services.work(offerings.listPublicOfMany, ({ creatorIds }) => {
    asked.push(creatorIds.length);
    return { items: creatorIds.map(listOf) };
  });
  const lists = await Promise.all(
    people.map(async ({ username }) => (await get(`/api/creators/${username}/offerings`)).json()),
  );
  expect(lists).toEqual(people.map(({ uid }) => listOf(uid)));
  // What comes in one pass travels together; on a busy machine they come in several.
  expect(Math.max(...asked)).toBeGreaterThan(1);
});

test('of a name that was read before a page asks for the profile and its offerings at once', async () => {
  const ama = profile('side-by-side');
  await services.answer(creators.find, ama);
  await services.answer(offerings.listPublic, { items: [] });
  expect((await get('/profile/side-by-side')).status).toBe(200);
  await services.leave();
  // Nothing is left that could stand in for what is asked.
  gateway.app.get(PublicReads).remove([tags.creator(ama.uid)]);
  const profiles = await services.hold(creators.find, () => ama);
  const lists = await services.hold(offerings.listPublic, () => ({ items: [] }));
  const page = get('/profile/side-by-side');
  await waitFor(async () => {
    expect(profiles.asked.length).toBeGreaterThan(0);
    expect(lists.asked).toContainEqual({ creatorId: ama.uid });
  });
  profiles.release();
  lists.release();
  expect((await page).status).toBe(200);
});

test('what is offered under a name goes with the name', async () => {
  const [former, next] = [profile('handed-on'), profile('handed-on')];
  const listOf = ({ creatorId }: { creatorId: string }) => ({ items: [], pinnedId: creatorId });
  const read = async () => {
    const answer = await get('/api/creators/handed-on/offerings');
    return [answer.status, ((await answer.json()) as { pinnedId?: string }).pinnedId];
  };
  await services.work(offerings.listPublic, listOf);
  await services.answer(creators.find, former);
  expect(await read()).toEqual([200, former.uid]);
  for (const now of ['gone', 'of somebody else']) {
    await services.leave();
    gateway.app.get(PublicReads).remove([tags.creator(former.uid)]);
    await services.work(offerings.listPublic, listOf);
    if (now === 'gone') await services.refuse(creators.find, 'not_found');
    else await services.answer(creators.find, next);
    expect(await read()).toEqual(now === 'gone' ? [404, undefined] : [200, next.uid]);
  }
});
