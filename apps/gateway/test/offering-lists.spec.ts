import { creators, offerings } from '@stoa/contracts';
import { waitFor, makePublicCreator } from '@stoa/testing';
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

const profile = (username: string) =>
  makePublicCreator({
    ...{ uid: crypto.randomUUID(), username, displayName: username },
    ...{ contactBy: 'form', email: null, bio: 'Rivers.' },
  });

test('concurrent reads of different lists of offerings are batched', async () => {
  const people = Array.from({ length: 20 }, (_, index) => profile(`shelf-${index}`));
  const known = new Map(people.map((one) => [one.username, one]));
  const find = (username: string) => known.get(username) ?? profile(username);
  const asked: number[] = [];
  // Each list contains the id of its creator, so that the test notices swapped lists.
  const listOf = (creatorId: string) => ({ items: [], pinnedId: creatorId });
  await services.answerWith(creators.find, ({ username }) => find(username));
  await services.answerWith(creators.findMany, ({ usernames }) => ({ items: usernames.map(find) }));
  await services.answerWith(offerings.listPublic, ({ creatorId }) => listOf(creatorId));
  await services.answerWith(offerings.listPublicOfMany, ({ creatorIds }) => {
    asked.push(creatorIds.length);
    return { items: creatorIds.map(listOf) };
  });
  const lists = await Promise.all(
    people.map(async ({ username }) => (await get(`/api/creators/${username}/offerings`)).json()),
  );
  expect(lists).toEqual(people.map(({ uid }) => listOf(uid)));
  // On a busy machine the requests arrive in several turns of the event loop, and so in several batches.
  expect(Math.max(...asked)).toBeGreaterThan(1);
});

test('a page loads the profile and offerings of a known username in parallel', async () => {
  const ama = profile('side-by-side');
  await services.answer(creators.find, ama);
  await services.answer(offerings.listPublic, { items: [], pinnedId: null });
  expect((await get('/profile/side-by-side')).status).toBe(200);
  await services.leave();
  // Without a cached response, the requests must wait for their loads.
  gateway.app.get(PublicReads).remove([tags.creator(ama.uid)]);
  const profiles = await services.hold(creators.find, () => ama);
  const lists = await services.hold(offerings.listPublic, () => ({ items: [], pinnedId: null }));
  const page = get('/profile/side-by-side');
  await waitFor(async () => {
    expect(profiles.asked.length).toBeGreaterThan(0);
    expect(lists.asked).toContainEqual({ creatorId: ama.uid });
  });
  profiles.release();
  lists.release();
  expect((await page).status).toBe(200);
});

test('a username shows only the offerings of its current owner', async () => {
  const [former, next] = [profile('handed-on'), profile('handed-on')];
  const listOf = ({ creatorId }: { creatorId: string }) => ({ items: [], pinnedId: creatorId });
  const read = async () => {
    const answer = await get('/api/creators/handed-on/offerings');
    return [answer.status, ((await answer.json()) as { pinnedId?: string }).pinnedId];
  };
  await services.answerWith(offerings.listPublic, listOf);
  await services.answer(creators.find, former);
  expect(await read()).toEqual([200, former.uid]);
  for (const now of ['gone', 'of somebody else']) {
    await services.leave();
    gateway.app.get(PublicReads).remove([tags.creator(former.uid)]);
    await services.answerWith(offerings.listPublic, listOf);
    if (now === 'gone') await services.refuse(creators.find, 'not_found');
    else await services.answer(creators.find, next);
    expect(await read()).toEqual(now === 'gone' ? [404, undefined] : [200, next.uid]);
  }
});
