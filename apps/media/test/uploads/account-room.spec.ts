import { type Caller, media, offerings } from '@stoa/contracts';
import { makeCaller, type ServiceUnderTest, waitFor, withClient } from '@stoa/testing';
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
} from '../media-under-test.ts';
import { plain } from '../sample-pictures.ts';

const soon = { timeout: 10_000, interval: 50 };
// RemovalSweeper runs every ten seconds, so its effect takes at most 30.
const sweepSoon = { timeout: 30_000, interval: 100 };
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

const query = (sql: string, values: unknown[]) =>
  withClient(service.databaseUrl, async (client) => (await client.query(sql, values)).rows as unknown[]);

/** Moves the account's grants into the past, so that their forms have expired. */
const expireForms = () =>
  query(
    `UPDATE upload SET created_at = created_at - interval '10 minutes',
                       removing_until = removing_until - interval '10 minutes' WHERE uid = $1`,
    [caller.uid],
  );

const rowsOf = (id: string) => query('SELECT id FROM upload WHERE id = $1', [id]);

async function aFile(bytes: number): Promise<string> {
  const id = await uploadFile(service, caller, randomBytes(bytes));
  await service.ask(media.complete, { id, kind: 'file' }, caller);
  return id;
}

describe('the storage limit of an account', () => {
  it('is refused over the limit, with the figures and a remedy [media-14]', async () => {
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

  it('is counted correctly for concurrent requests, and for each account separately', async () => {
    const requests = await Promise.allSettled(Array.from({ length: 8 }, () => grant(30_000)));
    expect(requests.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(await used()).toBe(90_000);
    await expect(grant(30_000, makeCaller())).resolves.toHaveProperty('id');
  });

  it('counts the stored bytes of draft files and of pictures', async () => {
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

  it('does not count a refused upload', async () => {
    const id = await upload(service, caller, Buffer.from('no picture'));
    await expect(service.ask(media.complete, { id }, caller)).rejects.toMatchObject({
      code: 'unsupported_picture',
    });
    expect(await used()).toBe(0);
  });

  it('is free again once the offering is removed [media-15]', async () => {
    const id = await aFile(80_000);
    const offering = {
      id: randomUUID(),
      creatorId: caller.uid,
      coverImageId: null,
      fileIds: [id],
      publicChange: 0,
    };
    await service.announce(offerings.published, { ...offering, version: 1 });
    expect(await used()).toBe(80_000);
    await service.announce(offerings.removed, { ...offering, version: 2 });
    await waitFor(async () => expect(await used()).toBe(0), soon);
    await expect(grant(80_000)).resolves.toHaveProperty('id');
  });

  it('is free again once the form of an abandoned upload has expired', async () => {
    const given = await service.ask(media.grant, fileRequest({ size: 80_000 }), caller);
    expect((await post(given, randomBytes(80_000))).ok).toBe(true);
    await service.ask(media.abandon, { id: given.id }, caller);
    expect(await keysIn(buckets.staging, caller.uid)).toEqual([]);
    expect(await used()).toBe(80_000);
    await expireForms();
    expect(await used()).toBe(0);
    await expect(grant(80_000)).resolves.toHaveProperty('id');
    await waitFor(async () => expect(await rowsOf(given.id)).toEqual([]), sweepSoon);
  });

  it('is free immediately if the form expired before the upload was abandoned', async () => {
    const { id } = await grant(80_000);
    await expireForms();
    expect(await used()).toBe(80_000);
    await service.ask(media.abandon, { id }, caller);
    expect(await used()).toBe(0);
  });

  it('bounds posts with the forms of abandoned uploads [media-32]', async () => {
    const forms = [await grant(30_000), await grant(30_000), await grant(30_000)];
    for (const { id } of forms) await service.ask(media.abandon, { id }, caller);
    await expect(grant(30_000)).rejects.toMatchObject({ code: 'limit_reached' });
    for (const form of forms) expect((await post(form, randomBytes(30_000))).ok).toBe(true);
    for (const { id } of forms)
      await expect(service.ask(media.complete, { id, kind: 'file' }, caller)).rejects.toMatchObject({
        code: 'not_found',
      });
    expect(await used()).toBe(90_000);
    await expireForms();
    await waitFor(async () => expect(await keysIn(buckets.staging, caller.uid)).toEqual([]), sweepSoon);
    expect(await used()).toBe(0);
  });

  it('counts abandoned uploads among the unfinished ones', async () => {
    for (let time = 0; time < 10; time += 1)
      await service.ask(media.abandon, { id: (await grant(1)).id }, caller);
    await expect(grant(1)).rejects.toMatchObject({ code: 'rate_limited' });
    await expireForms();
    await expect(grant(1)).resolves.toHaveProperty('id');
  });

  it('does not abandon a completed upload, or another creator’s', async () => {
    const id = await aFile(1000);
    await service.ask(media.abandon, { id }, caller);
    await expect(
      service.ask(media.resolve, { id, purpose: 'offering-file' }, caller),
    ).resolves.toHaveProperty('id', id);
    await expect(service.ask(media.abandon, { id }, makeCaller())).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('accepts no more bytes than announced, for pictures too', async () => {
    const { url, fields } = await service.ask(media.grant, request({ size: 100 }), caller);
    expect((await post({ url, fields }, randomBytes(101))).status).toBe(400);
  });
});
