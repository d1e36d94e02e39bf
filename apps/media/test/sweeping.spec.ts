import { type Caller, media, offerings, type Picture } from '@stoa/contracts';
import { aCaller, type ServiceUnderTest, waitFor } from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { MediaService } from '../src/media.service.ts';
import { StorageClient } from '../src/storage.client.ts';
import { buckets, keysIn, post, request, startMedia, upload } from './media-under-test.ts';
import { plain } from './sample-pictures.ts';

const ageMs = 4000;
const soon = { timeout: 15_000, interval: 50 };
let service: ServiceUnderTest;
let caller: Caller;
let png: Buffer;

beforeAll(async () => {
  const ages = { UNFINISHED_AGE_MS: `${ageMs}`, UNATTACHED_AGE_MS: `${ageMs}` };
  service = await startMedia({ SWEEP_INTERVAL_MS: '250', ...ages });
  caller = aCaller();
  png = await plain({ width: 100, height: 50 }).png().toBuffer();
});
afterAll(() => service.stop());

async function aPicture(): Promise<Picture> {
  return service.ask(media.complete, { id: await upload(service, caller, png) }, caller);
}

const shown = async ({ path }: Picture) => (await keysIn(buckets.public, `${path}/`)).length > 0;

it('what no record used and what was never completed goes, what is used stays', async () => {
  const used = await aPicture();
  const offering = {
    id: randomUUID(),
    creatorId: caller.uid,
    coverImageId: used.id,
    fileId: null,
    version: 1,
  };
  await service.announce(offerings.published, offering);
  const unused = await aPicture();
  const grant = await service.ask(media.grant, request(), caller);
  await post(grant, png);
  expect(await keysIn(buckets.staging, caller.uid)).toHaveLength(1);
  await waitFor(async () => expect(await shown(unused)).toBe(false), soon);
  await waitFor(async () => expect(await keysIn(buckets.staging, caller.uid)).toEqual([]), soon);
  const missing = { code: 'not_found', message: 'Upload not found.' };
  await expect(service.ask(media.complete, { id: grant.id }, caller)).rejects.toMatchObject(missing);
  expect(await shown(used)).toBe(true);
});

it('several sweepers at once share the work', async () => {
  const pictures = await Promise.all(Array.from({ length: 5 }, aPicture));
  const unpublish = jest.spyOn(service.app.get(StorageClient), 'unpublish');
  const sweeper = service.app.get(MediaService);
  await pause(ageMs);
  const { signal } = new AbortController();
  await Promise.all([sweeper.sweep(signal), sweeper.sweep(signal), sweeper.sweep(signal)]);
  for (const picture of pictures) await waitFor(async () => expect(await shown(picture)).toBe(false), soon);
  const swept = unpublish.mock.calls.map(([path]) => path);
  expect(swept.toSorted()).toEqual(pictures.map(({ path }) => path).toSorted());
});
