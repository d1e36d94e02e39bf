import { type Caller, creators, identity, media, offerings, type Picture } from '@stoa/contracts';
import { makeCaller, type ServiceUnderTest, waitFor, makeOfferingFacts } from '@stoa/testing';
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { UploadRemover } from '../src/uploads/upload-remover.ts';
import { buckets, completePicture, keysIn, startMedia, upload, uploadFile } from './media-under-test.ts';
import { plain } from './sample-pictures.ts';

let service: ServiceUnderTest;
let png: Buffer;

beforeAll(async () => {
  // An hour, so that the sweeper does not delete the objects first.
  service = await startMedia({ SWEEP_INTERVAL_MS: '3600000' });
  png = await plain({ width: 100, height: 50 }).png().toBuffer();
});
afterAll(() => service.stop());

const soon = { timeout: 10_000, interval: 50 };
const aPicture = async (by: Caller, purpose: 'offering-cover' | 'profile-picture'): Promise<Picture> =>
  completePicture(service, by, await upload(service, by, png, purpose));
const shown = async ({ path }: Picture) => (await keysIn(buckets.public, `${path}/`)).length > 0;
const of = (uid: string) =>
  Promise.all([
    keysIn(buckets.public, `profile_pictures/${uid}/`),
    keysIn(buckets.public, `offering_images/${uid}/`),
    keysIn(buckets.files, `offering_files/${uid}/`),
    keysIn(buckets.staging, `${uid}/`),
  ]).then((keys) => keys.flat());

test('closing an account deletes every picture and file, used, unused or unfinished', async () => {
  const [caller, other] = [makeCaller(), makeCaller()];
  const face = await aPicture(caller, 'profile-picture');
  const cover = await aPicture(caller, 'offering-cover');
  const file = await uploadFile(service, caller, randomBytes(1000));
  await service.ask(media.complete, { id: file, kind: 'file' }, caller);
  await upload(service, caller, png);
  const kept = await aPicture(other, 'offering-cover');
  const creator = { uid: caller.uid, username: caller.username, displayName: '', version: 1 };
  const pictures = { profileImageId: face.id, headerImageId: null };
  await service.announce(creators.opened, { ...creator, ...pictures });
  const offering = makeOfferingFacts({ creatorId: caller.uid, coverImageId: cover.id, fileIds: [file] });
  await service.announce(offerings.published, offering);
  expect((await of(caller.uid)).length).toBeGreaterThan(4);

  const eventId = randomUUID();
  const closed = { uid: caller.uid, at: new Date().toISOString() };
  await service.announce(identity.closed, closed, eventId);
  await service.announce(identity.closed, closed, eventId);
  await waitFor(async () => expect(await of(caller.uid)).toEqual([]), soon);
  expect(await shown(kept)).toBe(true);
  const resolve = service.ask(media.resolve, { id: face.id, purpose: 'profile-picture' }, caller);
  await expect(resolve).rejects.toMatchObject({ code: 'not_found' });
  await service.events.next(media.erased, ({ uid }) => uid === caller.uid);
  expect(service.events.all(media.erased).filter(({ uid }) => uid === caller.uid)).toHaveLength(1);
});

test('another replica or restart removes what a crash left of a closed account', async () => {
  const caller = makeCaller();
  const face = await aPicture(caller, 'profile-picture');
  const died = jest.spyOn(service.app.get(UploadRemover), 'removeSoon').mockImplementation(() => undefined);
  await service.announce(identity.closed, { uid: caller.uid, at: new Date().toISOString() });
  await waitFor(() => expect(died).toHaveBeenCalled());
  died.mockRestore();
  expect(await shown(face)).toBe(true);
  await waitFor(async () => expect(await of(caller.uid)).toEqual([]), { timeout: 30_000, interval: 100 });
}, 40_000);

test('removing a profile deletes its picture', async () => {
  const caller = makeCaller();
  const face = await aPicture(caller, 'profile-picture');
  const pictures = { profileImageId: face.id, headerImageId: null };
  const creator = { uid: caller.uid, username: caller.username, displayName: '', ...pictures };
  await service.announce(creators.opened, { ...creator, version: 1 });
  await service.announce(creators.removed, { ...creator, version: 2 });
  await waitFor(async () => expect(await shown(face)).toBe(false), soon);
});
