import { type Caller, media, offerings } from '@stoa/contracts';
import {
  createDatabase,
  inRepository,
  makeCaller,
  reconcile,
  type ServiceUnderTest,
  type TestDatabase,
  testParts,
  waitFor,
  withClient,
} from '@stoa/testing';
import { randomBytes, randomUUID } from 'node:crypto';
import pLimit from 'p-limit';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { UploadRemover } from '../../src/uploads/upload-remover.ts';
import { fileRequest, keysIn, post, request, startMedia, upload, uploadFile } from '../media-under-test.ts';
import { type Replica, startReplica } from '../replica.ts';
import { plain } from '../sample-pictures.ts';

const aborted = 200;
let service: ServiceUnderTest;
let replica: Replica;
let others: Record<'creators' | 'offerings', TestDatabase>;
let png: Buffer;

beforeAll(async () => {
  service = await startMedia({ SWEEP_INTERVAL_MS: '3600000' });
  replica = startReplica();
  const { adminUrl } = testParts().postgres;
  const make = (name: string) => createDatabase(adminUrl, inRepository(`apps/${name}/prisma/migrations`));
  others = { creators: await make('creators'), offerings: await make('offerings') };
  png = await plain({ width: 10, height: 10 }).png().toBuffer();
});
afterAll(async () => {
  await replica.stop();
  await service.stop();
  for (const database of Object.values(others)) await database.drop();
});

const query = (sql: string, values: unknown[] = []) =>
  withClient(service.databaseUrl, async (client) => (await client.query(sql, values)).rows as unknown[]);
const complete = (id: string, by: Caller) => service.ask(media.complete, { id }, by);
const grant = (by: Caller, input = request()) => service.ask(media.grant, input, by);

async function storedKeys(): Promise<string[]> {
  const buckets = Object.values(testParts().minio.buckets);
  return (await Promise.all(buckets.map((bucket) => keysIn(bucket, '')))).flat();
}

/** The ways in which an upload stays incomplete: its owner stops, or the process crashes. */
const ways: ((by: Caller) => Promise<unknown>)[] = [
  (by) => grant(by),
  (by) => upload(service, by, png),
  async (by) => complete(await upload(service, by, png), by),
  (by) => uploadFile(service, by, randomBytes(100)),
  async (by) => {
    const id = await uploadFile(service, by, randomBytes(100));
    await service.ask(media.complete, { id, kind: 'file' }, by);
  },
  // The process crashes before, during or after writing to the object store.
  async (by) => replica.uploads.beginCheck(await upload(service, by, png), 1, 0),
  async (by) => {
    const upload = await replica.uploads.beginCheck((await grant(by)).id, 1, 0);
    await replica.storage.publish(`${upload!.path}/96.avif`, png, 'image/avif');
  },
  async (by) => {
    const id = await uploadFile(service, by, randomBytes(100));
    const upload = await replica.uploads.beginCheck(id, 1, 0);
    const posted = await replica.storage.findPosted(`${by.uid}/${id}`);
    await replica.storage.keepFile(`${by.uid}/${id}`, posted!, upload!.path);
  },
  // The browser posts the form again after the upload was completed.
  async (by) => {
    const granted = await grant(by);
    await post(granted, png);
    await complete(granted.id, by);
    await post(granted, png);
  },
  async (by) => {
    const granted = await grant(by, fileRequest({ size: 100 }));
    await expect(post(granted, randomBytes(200))).resolves.toMatchObject({ ok: false });
  },
];

it(`${aborted} aborted uploads leave no object without a row and no row without objects`, async () => {
  const callers = Array.from({ length: aborted / ways.length }, makeCaller);
  const kept = makeCaller();
  const cover = await complete(await upload(service, kept, png), kept);
  const facts = {
    id: randomUUID(),
    creatorId: kept.uid,
    coverImageId: cover.id,
    fileIds: [],
    publicChange: 0,
    version: 1,
  };
  await service.announce(offerings.published, facts);
  await waitFor(async () =>
    expect(await query('SELECT 1 FROM attachment WHERE upload_id IS NOT NULL')).toHaveLength(1),
  );
  // The service checks two uploads at a time, so that no upload has to wait.
  await pLimit(2).map(callers, async (by) => {
    for (const abort of ways) await abort(by);
  });
  expect(await query('SELECT 1 FROM upload')).toHaveLength(aborted + 1);

  const parts = testParts();
  const urls = {
    ...parts.postgres.urls,
    media: service.databaseUrl,
    creators: others.creators.url,
    offerings: others.offerings.url,
  };
  const findings = async () => {
    const found = await reconcile({ ...parts, postgres: { ...parts.postgres, urls } }, { settle: 0 });
    // Ignores uploads of other tests, which use the same buckets.
    return found.filter(({ what }) => ours.some((uid) => what.includes(uid)));
  };
  const ours = [...callers, kept].map(({ uid }) => uid);
  const report = async (when: string) => {
    const found = await findings();
    const { length } = (await storedKeys()).filter((key) => ours.some((uid) => key.includes(uid)));
    const of = (kind: string) => found.filter((finding) => finding.kind === kind).length;
    const rows = (await query('SELECT 1 FROM upload')).length;
    if (process.env['STOA_SHOW_COUNTS'])
      console.log(
        `${when}: ${rows} uploads, ${length} objects; ${of('orphan')} orphans, ${of('dangling')} dangling`,
      );
    return found;
  };
  expect(await report(`${aborted} aborted and 1 kept`)).toEqual([]);

  await query("UPDATE upload SET remove_after = remove_after - interval '1 year', checking_until = NULL");
  await service.app.get(UploadRemover).sweep(new AbortController().signal);
  expect(await query('SELECT id FROM upload')).toEqual([{ id: cover.id }]);
  expect(await report('swept')).toEqual([]);
}, 300_000);
