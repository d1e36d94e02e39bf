import { type Caller, media, offerings } from '@stoa/contracts';
import { makeCaller, type ServiceUnderTest, waitFor } from '@stoa/testing';
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  buckets,
  completePicture,
  fileRequest,
  keysIn,
  post,
  request,
  startMedia,
  store,
  upload,
  uploadFile,
} from './media-under-test.ts';
import { plain } from './sample-pictures.ts';

const soon = { timeout: 10_000, interval: 50 };
const limitBytes = 100_000;
const unprovedBytes = 40_000;
let service: ServiceUnderTest;
let caller: Caller;

beforeAll(async () => {
  service = await startMedia({
    SWEEP_INTERVAL_MS: '250',
    ACCOUNT_BYTES: `${limitBytes}`,
    UNPROVED_ACCOUNT_BYTES: `${unprovedBytes}`,
  });
});
afterAll(() => service.stop());
beforeEach(() => {
  caller = makeCaller();
});

const grant = (size: number, by = caller) => service.ask(media.grant, fileRequest({ size }), by);
const used = async (by = caller) => (await service.ask(media.readRoom, {}, by)).usedBytes;

async function aFile(bytes: number): Promise<string> {
  const id = await uploadFile(service, caller, randomBytes(bytes));
  await service.ask(media.complete, { id, kind: 'file' }, caller);
  return id;
}

describe('the room of an account', () => {
  it('is refused over the limit, with the figures and what to do', async () => {
    await aFile(60_000);
    await expect(grant(50_000)).rejects.toMatchObject({
      code: 'limit_reached',
      message:
        'Your account has no room for this: it has 49 KB, and 59 KB of your 98 KB are used. Remove files or offerings that you do not need.',
    });
    await expect(grant(40_000)).resolves.toHaveProperty('id');
  });

  it('is smaller before the email address is confirmed', async () => {
    const unproved = { ...caller, emailVerified: false };
    await expect(service.ask(media.readRoom, {}, unproved)).resolves.toEqual({
      usedBytes: 0,
      limitBytes: unprovedBytes,
      provedLimitBytes: limitBytes,
    });
    await expect(grant(50_000, unproved)).rejects.toMatchObject({
      code: 'limit_reached',
      message: expect.stringContaining('Confirm your email address to get 98 KB'),
    });
    await expect(grant(50_000)).resolves.toHaveProperty('id');
  });

  it('is counted once for concurrent requests, and for each account by itself', async () => {
    const asked = await Promise.allSettled(Array.from({ length: 8 }, () => grant(30_000)));
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(await used()).toBe(90_000);
    await expect(grant(30_000, makeCaller())).resolves.toHaveProperty('id');
  });

  it('counts files of drafts and pictures by what is stored of them', async () => {
    await aFile(1000);
    const bytes = await plain({ width: 700, height: 500 }).png().toBuffer();
    const picture = await completePicture(service, caller, await upload(service, caller, bytes));
    const sizes = await Promise.all(
      (await keysIn(buckets.public, picture.path)).map(
        async (key) => (await store.statObject(buckets.public, key)).size,
      ),
    );
    expect(sizes).toHaveLength(picture.widths.length * 2);
    expect(await used()).toBe(1000 + sizes.reduce((sum, size) => sum + size, 0));
  });

  it('counts nothing of what was refused', async () => {
    const id = await upload(service, caller, Buffer.from('no picture'));
    await expect(service.ask(media.complete, { id }, caller)).rejects.toMatchObject({
      code: 'unsupported_picture',
    });
    expect(await used()).toBe(0);
  });

  it('is free again once the offering is removed', async () => {
    const id = await aFile(80_000);
    const offering = { id: randomUUID(), creatorId: caller.uid, coverImageId: null, fileId: id };
    await service.announce(offerings.published, { ...offering, version: 1 });
    expect(await used()).toBe(80_000);
    await service.announce(offerings.removed, { ...offering, version: 2 });
    await waitFor(async () => expect(await used()).toBe(0), soon);
    await expect(grant(80_000)).resolves.toHaveProperty('id');
  });

  it('is free again once an upload is given up, with what was posted', async () => {
    const given = await service.ask(media.grant, fileRequest({ size: 80_000 }), caller);
    expect((await post(given, randomBytes(80_000))).ok).toBe(true);
    await expect(grant(80_000)).rejects.toMatchObject({ code: 'limit_reached' });
    await service.ask(media.abandon, { id: given.id }, caller);
    expect(await used()).toBe(0);
    await waitFor(async () => expect(await keysIn(buckets.staging, caller.uid)).toEqual([]), soon);
    await expect(grant(80_000)).resolves.toHaveProperty('id');
  });

  it('keeps an upload that is completed, and another creator’s, when asked to give it up', async () => {
    const id = await aFile(1000);
    await service.ask(media.abandon, { id }, caller);
    await expect(
      service.ask(media.resolve, { id, purpose: 'offering-file' }, caller),
    ).resolves.toHaveProperty('id', id);
    await expect(service.ask(media.abandon, { id }, makeCaller())).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('takes no more into the store than was announced, for pictures too', async () => {
    const { url, fields } = await service.ask(media.grant, request({ size: 100 }), caller);
    expect((await post({ url, fields }, randomBytes(101))).status).toBe(400);
  });
});
