import { type Caller, media, offerings, type Picture } from '@stoa/contracts';
import { makeCaller, type ServiceUnderTest, waitFor, withClient } from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import { Client } from 'minio';
import { StorageClient } from '../../src/storage/storage.client.ts';
import { UploadRemover } from '../../src/uploads/upload-remover.ts';
import { WithdrawalService } from '../../src/withdrawals/withdrawal.service.ts';
import {
  buckets,
  completePicture,
  keysIn,
  post,
  request,
  startMedia,
  store,
  upload,
} from '../media-under-test.ts';
import { plain } from '../sample-pictures.ts';

const soon = { timeout: 20_000, interval: 50 };
let service: ServiceUnderTest;
let caller: Caller;
let png: Buffer;

beforeAll(async () => {
  service = await startMedia({ SWEEP_INTERVAL_MS: '250' });
  caller = makeCaller();
  png = await plain({ width: 100, height: 50 }).png().toBuffer();
});
afterEach(() => void jest.restoreAllMocks());
afterAll(() => service.stop());

async function aPicture(): Promise<Picture> {
  return completePicture(service, caller, await upload(service, caller, png));
}

const shown = async ({ path }: Picture) => (await keysIn(buckets.public, `${path}/`)).length > 0;

const query = (sql: string, values: unknown[] = []) =>
  withClient(service.databaseUrl, async (client) => (await client.query(sql, values)).rows as unknown[]);

/** Moves the expiry of all uploads a year back. Used uploads have no expiry. */
const age = () => query("UPDATE upload SET remove_after = remove_after - interval '1 year'");

it('deletes unused and never completed uploads, and keeps used ones', async () => {
  const used = await aPicture();
  const offering = {
    id: randomUUID(),
    creatorId: caller.uid,
    coverImageId: used.id,
    fileIds: [],
    publicChange: 0,
    version: 1,
  };
  await service.announce(offerings.published, offering);
  const unused = await aPicture();
  const grant = await service.ask(media.grant, request(), caller);
  await post(grant, png);
  expect(await keysIn(buckets.staging, caller.uid)).toHaveLength(1);
  const kept = 'SELECT id FROM upload WHERE id = $1 AND remove_after IS NULL';
  await waitFor(async () => expect(await query(kept, [used.id])).toHaveLength(1), soon);

  await age();
  await waitFor(async () => expect(await shown(unused)).toBe(false), soon);
  await waitFor(async () => expect(await keysIn(buckets.staging, caller.uid)).toEqual([]), soon);
  const missing = { code: 'not_found', message: 'Upload not found.' };
  await expect(service.ask(media.complete, { id: grant.id }, caller)).rejects.toMatchObject(missing);
  expect(await shown(used)).toBe(true);
});

it('concurrent sweepers share the work', async () => {
  const pictures = await Promise.all(Array.from({ length: 5 }, aPicture));
  const unpublish = jest.spyOn(service.app.get(StorageClient), 'unpublish');
  const sweeper = service.app.get(UploadRemover);
  await age();
  const { signal } = new AbortController();
  await Promise.all([sweeper.sweep(signal), sweeper.sweep(signal), sweeper.sweep(signal)]);
  for (const picture of pictures) await waitFor(async () => expect(await shown(picture)).toBe(false), soon);
  const swept = unpublish.mock.calls.map(([path]) => path);
  expect(swept.toSorted()).toEqual(pictures.map(({ path }) => path).toSorted());
});

it('a slow removal keeps its lease of seconds by renewal', async () => {
  const picture = await aPicture();
  const storage = service.app.get(StorageClient);
  const held = Promise.withResolvers<void>();
  const unpublish = storage.unpublish.bind(storage);
  const removals = jest.spyOn(storage, 'unpublish').mockImplementation(async (path) => {
    await held.promise;
    await unpublish(path);
  });
  try {
    await age();
    const lease = async () => {
      const select = `SELECT removing_until AS until, removing_until <= now() + interval '10 seconds' AS short
                        FROM upload WHERE path = $1 AND removing_until > now()`;
      const [row] = (await query(select, [picture.path])) as { until: Date; short: boolean }[];
      return row;
    };
    await waitFor(async () => expect(await lease()).toMatchObject({ short: true }), soon);
    const first = await lease();
    await waitFor(async () => {
      expect((await lease())?.until.getTime()).toBeGreaterThan(first?.until.getTime() ?? NaN);
    }, soon);
    expect(await lease()).toMatchObject({ short: true });
    const begun = removals.mock.calls.map(([path]) => path);
    expect(begun).toEqual([...new Set(begun)]);
  } finally {
    held.resolve();
  }
  await waitFor(async () => expect(await shown(picture)).toBe(false), soon);
});

it('removes other uploads if the store refuses some, and retries those later', async () => {
  const storage = service.app.get(StorageClient);
  const unpublish = storage.unpublish.bind(storage);
  jest.spyOn(storage, 'unpublish').mockImplementation(async (path) => {
    if (path.startsWith('refused/')) throw new Error('AccessDenied');
    await unpublish(path);
  });
  // Older than all others, so the sweeper removes them first, and more than its limit of failures in a row.
  await query(
    `INSERT INTO upload (id, uid, purpose, path, remove_after)
     SELECT gen_random_uuid(), gen_random_uuid(), 'offering-cover', 'refused/' || n, now() - interval '9 years'
       FROM generate_series(1, 12) AS n`,
  );
  const pictures = [await aPicture(), await aPicture()];
  await age();
  for (const picture of pictures) await waitFor(async () => expect(await shown(picture)).toBe(false), soon);
  const refused = `SELECT path FROM upload WHERE path LIKE 'refused/%' AND removal_attempts = 1 AND removing_until > now()`;
  await waitFor(async () => expect(await query(refused)).toHaveLength(12), soon);
  await query(`UPDATE upload SET removing_until = now() WHERE path LIKE 'refused/%'`);
  jest.restoreAllMocks();
  await service.app.get(UploadRemover).sweep(new AbortController().signal);
  expect(await query(`SELECT path FROM upload WHERE path LIKE 'refused/%'`)).toEqual([]);
});

it('deletes empty slots of a removed offering once no older event can arrive', async () => {
  const creatorId = randomUUID();
  const [removed, recent] = [randomUUID(), randomUUID()];
  for (const id of [removed, recent])
    await service.announce(offerings.removed, {
      id,
      creatorId,
      coverImageId: null,
      fileIds: [],
      publicChange: 0,
      version: 2,
    });
  const slotsOf = (id: string) => query('SELECT 1 FROM attachment WHERE owner_id = $1', [id]);
  for (const id of [removed, recent])
    await waitFor(async () => expect(await slotsOf(id)).not.toEqual([]), soon);
  await query(`UPDATE attachment SET noted_at = noted_at - interval '61 days' WHERE owner_id = $1`, [
    removed,
  ]);
  await waitFor(async () => expect(await slotsOf(removed)).toEqual([]), soon);
  expect(await slotsOf(recent)).not.toEqual([]);
});

it('removes other objects if the store refuses one', async () => {
  const uid = randomUUID();
  const storage = service.app.get(StorageClient);
  const names = ['a-refused', 'b', 'c-refused', 'd'].map((name) => `${uid}/${name}`);
  for (const bucket of [buckets.staging, buckets.public])
    for (const name of names) await store.putObject(bucket, name, png, png.length);
  const remove = Client.prototype.removeObject;
  jest.spyOn(Client.prototype, 'removeObject').mockImplementation(async function (this: Client, ...args) {
    if (args[1].includes('refused')) throw new Error('AccessDenied');
    await remove.apply(this, args);
  });
  const refusal = { code: 'unavailable' };
  const later = new Date(Date.now() + 3_600_000);
  await expect(storage.discardPostedBefore(later, uid)).rejects.toMatchObject(refusal);
  await expect(storage.unpublish(uid)).rejects.toMatchObject(refusal);
  for (const bucket of [buckets.staging, buckets.public])
    expect(await keysIn(bucket, uid)).toEqual([names[0], names[2]]);
  jest.restoreAllMocks();
  await storage.discardPostedBefore(later, uid);
  await storage.unpublish(uid);
});

it('continues with the other steps of a sweep after one fails', async () => {
  const unused = await aPicture();
  jest.spyOn(service.app.get(WithdrawalService), 'forget').mockRejectedValue(new Error('refused'));
  const storage = service.app.get(StorageClient);
  jest.spyOn(storage, 'listPosted').mockImplementation(() => {
    throw new Error('refused');
  });
  const discarded = jest.spyOn(storage, 'discardPostedBefore');
  await age();
  await waitFor(async () => expect(await shown(unused)).toBe(false), soon);
  await waitFor(() => expect(discarded).toHaveBeenCalled(), soon);
});
