import {
  type Caller,
  creators,
  media,
  type OfferingFacts,
  offerings,
  type Picture,
  type PicturePurpose,
} from '@stoa/contracts';
import { makeCaller, type ServiceUnderTest, waitFor } from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { StorageClient } from '../../src/storage/storage.client.ts';
import { buckets, completePicture, keysIn, startMedia, upload } from '../media-under-test.ts';
import { plain } from '../sample-pictures.ts';

let service: ServiceUnderTest;
let caller: Caller;
let png: Buffer;

beforeAll(async () => {
  service = await startMedia({ SWEEP_INTERVAL_MS: '250' });
  png = await plain({ width: 100, height: 50 }).png().toBuffer();
});
afterAll(() => service.stop());
beforeEach(() => {
  caller = makeCaller();
});

async function aPicture(purpose: PicturePurpose = 'offering-cover'): Promise<Picture> {
  return completePicture(service, caller, await upload(service, caller, png, purpose));
}

function anOffering(cover: Picture | null, version = 1, id: string = randomUUID()): OfferingFacts {
  return {
    id,
    creatorId: caller.uid,
    coverImageId: cover?.id ?? null,
    fileIds: [],
    publicChange: 0,
    version,
  };
}

const shown = async ({ path }: Picture) => (await keysIn(buckets.public, `${path}/`)).length > 0;
const soon = { timeout: 10_000, interval: 50 };

/** Waits until all earlier events are handled: publishes a last event and waits for its effect. */
async function settled(): Promise<void> {
  const [first, second] = [await aPicture(), await aPicture()];
  const offering = anOffering(first);
  await service.announce(offerings.published, offering);
  await service.announce(offerings.changed, { ...offering, coverImageId: second.id, version: 2 });
  await waitFor(async () => expect(await shown(first)).toBe(false), soon);
}

describe('a picture', () => {
  it.each([
    ['profile', 'profile-picture', 'creators'],
    ['cover', 'offering-cover', 'offerings'],
  ] as const)('is deleted when another %s replaces it', async (_, purpose, owner) => {
    const [first, second] = [await aPicture(purpose), await aPicture(purpose)];
    const offering = anOffering(first);
    const names = { uid: caller.uid, username: caller.username, displayName: '' };
    const creator = { ...names, headerImageId: null, version: 1 };
    if (owner === 'creators') {
      await service.announce(creators.opened, { ...creator, profileImageId: first.id });
      await service.announce(creators.changed, { ...creator, profileImageId: second.id, version: 2 });
    } else {
      await service.announce(offerings.published, offering);
      await service.announce(offerings.changed, { ...offering, coverImageId: second.id, version: 2 });
    }
    await waitFor(async () => expect(await shown(first)).toBe(false), soon);
    expect(await shown(second)).toBe(true);
    await expect(service.ask(media.resolve, { id: first.id, purpose }, caller)).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('is deleted with its offering', async () => {
    const cover = await aPicture();
    const offering = anOffering(cover);
    await service.announce(offerings.published, offering);
    await service.announce(offerings.removed, { ...offering, version: 2 });
    await waitFor(async () => expect(await shown(cover)).toBe(false), soon);
  });

  it('above a profile is replaced separately, and deleted with the profile [media-16]', async () => {
    const [face, first, second] = [
      await aPicture('profile-picture'),
      await aPicture('profile-header'),
      await aPicture('profile-header'),
    ];
    const { uid, username } = caller;
    const creator = { uid, username, displayName: '', profileImageId: face.id };
    await service.announce(creators.opened, { ...creator, headerImageId: first.id, version: 1 });
    await service.announce(creators.changed, { ...creator, headerImageId: second.id, version: 2 });
    await waitFor(async () => expect(await shown(first)).toBe(false), soon);
    const headerImageId = second.id;
    await service.announce(creators.changed, { ...creator, profileImageId: null, headerImageId, version: 3 });
    await waitFor(async () => expect(await shown(face)).toBe(false), soon);
    expect(await shown(second)).toBe(true);
    const none = { profileImageId: null, headerImageId: null };
    await service.announce(creators.removed, { ...creator, ...none, version: 4 });
    await waitFor(async () => expect(await shown(second)).toBe(false), soon);
  });

  it('that two offerings use is kept until neither does', async () => {
    const cover = await aPicture();
    const [one, two] = [anOffering(cover), anOffering(cover)];
    await service.announce(offerings.published, one);
    await service.announce(offerings.published, two);
    await service.announce(offerings.removed, { ...one, version: 2 });
    await settled();
    expect(await shown(cover)).toBe(true);
    await service.announce(offerings.removed, { ...two, version: 2 });
    await waitFor(async () => expect(await shown(cover)).toBe(false), soon);
  });

  it('that was resolved again is kept after its replacement', async () => {
    const [cover, other] = [await aPicture(), await aPicture()];
    const one = anOffering(cover);
    await service.announce(offerings.published, one);
    await settled();
    await service.ask(media.resolve, { id: cover.id, purpose: 'offering-cover' }, caller);
    await service.announce(offerings.changed, { ...one, coverImageId: other.id, version: 2 });
    await settled();
    expect(await shown(cover)).toBe(true);
    const two = anOffering(cover);
    await service.announce(offerings.published, two);
    await service.announce(offerings.removed, { ...two, version: 2 });
    await waitFor(async () => expect(await shown(cover)).toBe(false), soon);
  });

  it('is deleted by the sweeper when the store was down at the event', async () => {
    const cover = await aPicture();
    const offering = anOffering(cover);
    const unpublish = jest.spyOn(service.app.get(StorageClient), 'unpublish');
    unpublish.mockRejectedValueOnce(new Error('down'));
    await service.announce(offerings.published, offering);
    await service.announce(offerings.removed, { ...offering, version: 2 });
    // The service retries a failed removal after ten seconds.
    await waitFor(async () => expect(await shown(cover)).toBe(false), { ...soon, timeout: 45_000 });
  }, 60_000);
});

describe('events out of order', () => {
  it('of several accounts are handled separately, concurrently too', async () => {
    const owners: { uid: string; keeps: boolean; pictures: Picture[] }[] = [];
    for (const keeps of [true, false, true, false]) {
      caller = makeCaller();
      const pictures = [await aPicture('profile-picture'), await aPicture('profile-picture')];
      owners.push({ uid: caller.uid, keeps, pictures });
    }
    const announce = (version: number, imageOf: (owner: (typeof owners)[number]) => Picture | undefined) =>
      Promise.all(
        owners.map(async (owner) => {
          const facts = { uid: owner.uid, username: caller.username, displayName: '', headerImageId: null };
          const profileImageId = imageOf(owner)?.id ?? null;
          await service.announce(creators.changed, { ...facts, profileImageId, version });
        }),
      );
    await announce(1, ({ pictures }) => pictures[0]);
    await announce(3, ({ keeps, pictures }) => pictures[keeps ? 0 : 1]);
    // The service has stored version 3 for every owner, even where nothing changed, so it ignores version 2.
    await announce(2, ({ keeps, pictures }) => pictures[keeps ? 1 : 0]);
    await settled();
    // If an owner keeps the first picture, the second one is unused, but it has not expired.
    for (const { keeps, pictures } of owners)
      await waitFor(
        async () =>
          expect(await Promise.all(pictures.map(shown))).toEqual(keeps ? [true, true] : [false, true]),
        soon,
      );
  });

  it('are ignored after an edit that kept the picture', async () => {
    const [picture, other] = [await aPicture('profile-picture'), await aPicture('profile-picture')];
    const creator = {
      uid: caller.uid,
      username: caller.username,
      displayName: '',
      profileImageId: picture.id,
      headerImageId: null,
    };

    await service.announce(creators.changed, { ...creator, version: 3 });
    await service.announce(creators.changed, { ...creator, version: 5 });
    await service.announce(creators.changed, { ...creator, profileImageId: other.id, version: 4 });
    await settled();
    expect(await shown(picture)).toBe(true);
  });

  it('keep the newest picture, also when one is redelivered', async () => {
    const [older, newest, other] = [await aPicture(), await aPicture(), await aPicture()];
    const first = anOffering(older);
    const third = { ...first, coverImageId: newest.id, version: 3 };
    const event = randomUUID();
    await service.announce(offerings.changed, third, event);
    await service.announce(offerings.changed, { ...first, version: 2 });
    await settled();
    expect(await shown(newest)).toBe(true);
    await service.announce(offerings.changed, { ...first, coverImageId: other.id, version: 4 });
    await waitFor(async () => expect(await shown(newest)).toBe(false), soon);
    await service.announce(offerings.changed, third, event);
    await settled();
    expect(await shown(other)).toBe(true);
  });

  it('do not restore a removed offering', async () => {
    const [cover, late] = [await aPicture(), await aPicture()];
    const offering = anOffering(cover);
    await service.announce(offerings.published, offering);
    await service.announce(offerings.removed, { ...offering, version: 3 });
    await service.announce(offerings.changed, { ...offering, coverImageId: late.id, version: 2 });
    await waitFor(async () => expect(await shown(cover)).toBe(false), soon);
    // If the late event had attached its picture, this removal would delete the picture.
    await service.announce(offerings.removed, { ...offering, version: 4 });
    await settled();
    expect(await shown(late)).toBe(true);
  });
});
