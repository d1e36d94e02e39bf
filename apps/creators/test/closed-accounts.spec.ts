import { creators, identity, offerings } from '@stoa/contracts';
import { makeCaller, randomPicture, type ServiceUnderTest, startServiceUnderTest } from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CreatorsModule } from '../src/creators.module.ts';
import { makeCreatorOf } from './creators-under-test.ts';

let service: ServiceUnderTest;

beforeAll(async () => {
  const folder = new URL('../', import.meta.url);
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

test('closing an account announces once what went with it', async () => {
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

test('closing an account twice removes it once (idempotent), and no other', async () => {
  const other = await makeCreatorOf(service);
  const { caller, id } = await closedCreator();
  await close(caller.uid, id);
  await close(caller.uid);
  await closedCreator();
  expect(removedOf(caller.uid)).toHaveLength(1);
  expect(await service.ask(creators.find, { username: other.username })).toMatchObject({ uid: other.uid });
});

test('an unexpired token of a closed account recreates nothing, and its username is free', async () => {
  const { caller } = await closedCreator();
  await expect(service.ask(creators.open, {}, caller)).rejects.toMatchObject({ code: 'forbidden' });
  const namesake = makeCaller({ username: caller.username });
  expect(await service.ask(creators.open, {}, namesake)).toMatchObject({
    creator: { uid: namesake.uid },
  });
});

test('closing an account without a record leaves none', async () => {
  const caller = makeCaller();
  await close(caller.uid);
  await closedCreator();
  expect(removedOf(caller.uid)).toEqual([]);
  await expect(service.ask(creators.open, {}, caller)).rejects.toMatchObject({ code: 'forbidden' });
});

test('offerings removed with the account do not change any count', async () => {
  const { caller } = await closedCreator();
  const facts = { id: randomUUID(), creatorId: caller.uid, coverImageId: null, fileId: null, version: 2 };
  await service.announce(offerings.removed, facts);
  const other = makeCaller();
  await service.ask(creators.open, {}, other);
  await service.announce(offerings.published, { ...facts, id: randomUUID(), creatorId: other.uid });
  await service.events.next(creators.counted, ({ uid }) => uid === other.uid);
  expect(service.events.all(creators.counted).filter(({ uid }) => uid === caller.uid)).toEqual([]);
});
