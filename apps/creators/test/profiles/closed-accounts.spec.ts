import { creators, identity, offerings } from '@stoa/contracts';
import { usernameDigest } from '@stoa/platform';
import {
  makeOfferingFacts,
  makeCaller,
  makeOperatorCaller,
  randomPicture,
  type ServiceUnderTest,
  startServiceUnderTest,
  waitFor,
  withClient,
  makeReport,
} from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CreatorsModule } from '../../src/creators.module.ts';
import { ReviewsService } from '../../src/reviews/reviews.service.ts';
import { makeCreatorOf } from '../creators-under-test.ts';

let service: ServiceUnderTest;

beforeAll(async () => {
  const folder = new URL('../../', import.meta.url);
  service = await startServiceUnderTest(CreatorsModule, { service: 'creators', folder });
});
afterAll(() => service.stop());

const close = (uid: string, id?: string) =>
  service.announce(identity.closed, { uid, at: new Date().toISOString() }, id);
const removedOf = (uid: string) => service.events.all(creators.removed).filter((facts) => facts.uid === uid);

async function closedCreator() {
  const caller = makeCaller();
  const { version } = (await service.ask(creators.open, {}, caller)).creator;
  const id = randomUUID();
  await close(caller.uid, id);
  const removed = await service.events.next(creators.removed, ({ uid }) => uid === caller.uid);
  return { caller, id, version, removed };
}

test('closing an account removes its profile and publishes the removal', async () => {
  const { caller, version, removed } = await closedCreator();
  expect(removed).toMatchObject({ username: caller.username, version: version + 1 });
  await expect(service.ask(creators.find, { username: caller.username })).rejects.toMatchObject({
    code: 'not_found',
  });
  const { items } = await service.ask(creators.browse, { search: caller.username, limit: 10 });
  expect(items).toEqual([]);
});

test('closing an account announces the deleted data once', async () => {
  const [profileImage, headerImage] = [randomPicture(), randomPicture()];
  const { uid } = await makeCreatorOf(service, { profileImage, headerImage });
  const id = randomUUID();
  await close(uid, id);
  await close(uid, id);
  const erased = await service.events.next(creators.erased, (facts) => facts.uid === uid);
  expect(erased.counts).toEqual({ profiles: 1, pictures: 2 });
  const stranger = randomUUID();
  await close(stranger);
  const nothing = await service.events.next(creators.erased, (facts) => facts.uid === stranger);
  expect(nothing.counts).toEqual({ profiles: 0, pictures: 0 });
  expect(service.events.all(creators.erased).filter((facts) => facts.uid === uid)).toHaveLength(1);
});

test('closing an account twice removes only this account, and only once', async () => {
  const other = await makeCreatorOf(service);
  const { caller, id } = await closedCreator();
  await close(caller.uid, id);
  await close(caller.uid);
  await closedCreator();
  expect(removedOf(caller.uid)).toHaveLength(1);
  expect(await service.ask(creators.find, { username: other.username })).toMatchObject({ uid: other.uid });
});

test('a valid token of a closed account recreates nothing', async () => {
  const { caller } = await closedCreator();
  await expect(service.ask(creators.open, {}, caller)).rejects.toMatchObject({ code: 'forbidden' });
});

const cannotBeUsed = {
  code: 'invalid_input',
  fields: [{ field: 'username', message: 'This username cannot be used.' }],
};
const query = (text: string, values: unknown[]) =>
  withClient(service.databaseUrl, async (client) => (await client.query(text, values)).rows);
const hashOf = usernameDigest;
const isReserved = async (username: string) =>
  (await service.ask(creators.checkUsername, { username })).isReserved;

test('the username of a closed account is reserved for 90 days, in any letter case [creators-9]', async () => {
  const { caller } = await closedCreator();
  const { username } = caller;
  for (const name of [username, username.toUpperCase()]) {
    expect(await isReserved(name)).toBe(true);
    const namesake = makeCaller({ username: name });
    await expect(service.ask(creators.open, {}, namesake)).rejects.toMatchObject(cannotBeUsed);
  }
  const [row] = await query(
    `SELECT until - now() AS left, until > now() + interval '89 days' AND until < now() + interval '91 days' AS right
       FROM reserved_username WHERE hash = $1`,
    [hashOf(username)],
  );
  expect(row).toMatchObject({ right: true });

  await query('UPDATE reserved_username SET until = now() WHERE hash = $1', [hashOf(username)]);
  expect(await isReserved(username)).toBe(false);
  const namesake = makeCaller({ username });
  expect(await service.ask(creators.open, {}, namesake)).toMatchObject({ creator: { uid: namesake.uid } });
  await service.app.get(ReviewsService).deleteExpired(new AbortController().signal);
  expect(await query('SELECT 1 FROM reserved_username WHERE hash = $1', [hashOf(username)])).toEqual([]);
});

const announced = (username: string) =>
  service.events.all(creators.usernameReserved).filter(({ digest }) => digest === usernameDigest(username));
const sweep = () => service.app.get(ReviewsService).deleteExpired(new AbortController().signal);

test('a reservation is announced without the name, and again before the stream drops the event', async () => {
  const { caller } = await closedCreator();
  const { username } = caller;
  await waitFor(() => expect(announced(username)).toHaveLength(1));
  const [{ until } = { until: null }] = announced(username);
  expect(Date.parse(until ?? '') - Date.now()).toBeGreaterThan(89 * 86_400_000);
  expect(JSON.stringify(announced(username))).not.toContain(username);

  await sweep();
  const age = (days: number) =>
    query(`UPDATE reserved_username SET announced_at = now() - make_interval(days => $2) WHERE hash = $1`, [
      usernameDigest(username),
      days,
    ]);
  await age(19);
  await sweep();
  await age(21);
  await Promise.all([sweep(), sweep()]);
  await waitFor(() => expect(announced(username)).toHaveLength(2));
  expect(announced(username)[1]).toEqual(announced(username)[0]);
});

test.each([
  ['a profile that is hidden', null, false],
  ['a profile that was hidden and restored', null, true],
  ['an offering that is hidden', { id: randomUUID(), slug: 'letters', title: 'Letters' }, false],
])('the username of %s is reserved forever', async (_, offering, isRestored) => {
  const { uid, username } = await makeCreatorOf(service);
  const operator = makeOperatorCaller();
  await service.ask(creators.report, makeReport({ creatorId: uid, offering }), operator);
  const { items } = await service.ask(creators.listCases, { queue: 'waiting' }, operator);
  const { id = '' } = items.find(({ creatorId }) => creatorId === uid) ?? {};
  await service.ask(creators.decide, { id, decision: 'hide', reason: 'fraud', text: '' }, operator);
  if (isRestored) await service.ask(creators.decide, { id, decision: 'restore', text: '' }, operator);
  await close(uid);
  await service.events.next(creators.removed, (facts) => facts.uid === uid);
  expect(await query('SELECT until FROM reserved_username WHERE hash = $1', [hashOf(username)])).toEqual([
    { until: null },
  ]);
  await service.app.get(ReviewsService).deleteExpired(new AbortController().signal);
  expect(await isReserved(username)).toBe(true);
  const namesake = makeCaller({ username });
  await expect(service.ask(creators.open, {}, namesake)).rejects.toMatchObject(cannotBeUsed);
});

test('a concurrent sign-up never gets the username of a closing account [creators-10]', async () => {
  await Promise.all(
    Array.from({ length: 12 }, async () => {
      const caller = makeCaller();
      await service.ask(creators.open, {}, caller);
      await close(caller.uid);
      const refusals = { code: expect.stringMatching(/^(conflict|invalid_input)$/) };
      await waitFor(async () => {
        const namesake = makeCaller({ username: caller.username });
        await expect(service.ask(creators.open, {}, namesake)).rejects.toMatchObject(refusals);
        expect(removedOf(caller.uid)).toHaveLength(1);
      });
      expect(await isReserved(caller.username)).toBe(true);
    }),
  );
});

test('an existing record stays usable although its username is reserved', async () => {
  const caller = makeCaller();
  await service.ask(creators.open, {}, caller);
  await query("INSERT INTO reserved_username VALUES ($1, now() + interval '1 day', now())", [
    hashOf(caller.username),
  ]);
  expect(await service.ask(creators.open, {}, caller)).toMatchObject({ isNew: false });
});

test('closing an account without a record prevents a later one', async () => {
  const caller = makeCaller();
  await close(caller.uid);
  await closedCreator();
  expect(removedOf(caller.uid)).toEqual([]);
  await expect(service.ask(creators.open, {}, caller)).rejects.toMatchObject({ code: 'forbidden' });
});

test('the removed offerings of a closed account change no count', async () => {
  const { caller } = await closedCreator();
  const removed = { publicChange: -1, tally: { count: 0, asOf: 2 } };
  await service.announce(offerings.removed, makeOfferingFacts({ creatorId: caller.uid, ...removed }));
  const other = makeCaller();
  await service.ask(creators.open, {}, other);
  const published = { publicChange: 1, tally: { count: 1, asOf: 1 } };
  await service.announce(offerings.published, makeOfferingFacts({ creatorId: other.uid, ...published }));
  await service.events.next(creators.counted, ({ uid }) => uid === other.uid);
  expect(service.events.all(creators.counted).filter(({ uid }) => uid === caller.uid)).toEqual([]);
});
