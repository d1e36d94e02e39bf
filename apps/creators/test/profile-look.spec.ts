import { creators, type ProfileChanges } from '@stoa/contracts';
import { randomPicture, type ServiceUnderTest } from '@stoa/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { changes, makeCreatorOf, startCreators } from './creators-under-test.ts';

let service: ServiceUnderTest;
const aCreator = (more?: Partial<ProfileChanges>) => makeCreatorOf(service, more);

beforeAll(async () => {
  service = await startCreators();
});
afterAll(() => service.stop());

test('the header is public, kept when the form omits it, removed when it is null, and announced', async () => {
  const headerImage = randomPicture({ path: 'profile_pictures/a/header_d' });
  const caller = await aCreator({ headerImage });
  const { uid, username } = caller;
  expect((await service.ask(creators.find, { username })).headerImage).toEqual(headerImage);
  const factsOf = (version: number) =>
    service.events.next(creators.changed, (facts) => facts.uid === uid && facts.version === version);
  expect((await factsOf(2)).headerImageId).toBe(headerImage.id);
  const kept = await service.ask(creators.update, changes(), caller);
  expect(kept.headerImage?.id).toBe(headerImage.id);
  expect((await factsOf(3)).headerImageId).toBe(headerImage.id);
  const removed = await service.ask(creators.update, changes({ headerImage: null }), caller);
  expect(removed.headerImage).toBeNull();
  expect(await factsOf(4)).toMatchObject({ headerImageId: null, profileImageId: null });
});
