import { type Caller, identity, limits, media } from '@stoa/contracts';
import { runService } from '@stoa/platform';
import {
  createDatabase,
  inRepository,
  makeCaller,
  reconcile,
  type ServiceUnderTest,
  type TestDatabase,
  testParts,
  waitFor,
} from '@stoa/testing';
import { strFromU8, unzipSync } from 'fflate';
import { randomBytes, randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MediaModule } from '../../src/media.module.ts';
import {
  buckets,
  completePicture,
  keysIn,
  startMedia,
  store,
  upload,
  uploadFile,
} from '../media-under-test.ts';
import { plain } from '../sample-pictures.ts';

const soon = { timeout: 20_000, interval: 50 };
let service: ServiceUnderTest;
let client: Client;
let png: Buffer;
let others: Record<'creators' | 'offerings', TestDatabase>;

beforeAll(async () => {
  service = await startMedia({ SWEEP_INTERVAL_MS: '3600000' });
  client = new Client({ connectionString: service.databaseUrl });
  await client.connect();
  const make = (name: string) =>
    createDatabase(testParts().postgres.adminUrl, inRepository(`apps/${name}/prisma/migrations`));
  others = { creators: await make('creators'), offerings: await make('offerings') };
  png = await plain({ width: 600, height: 300 }).png().toBuffer();
});
afterAll(async () => {
  await client.end();
  await service.stop();
  for (const database of Object.values(others)) await database.drop();
});

const owner = () => makeCaller({ authenticatedAt: new Date().toISOString() });
const exportOf = (caller: Caller) => service.ask(media.readExport, {}, caller);
const isReady = async (caller: Caller) => {
  await waitFor(async () => expect(await exportOf(caller)).toMatchObject({ state: 'ready' }), soon);
  return exportOf(caller);
};
const objectsOf = ({ uid }: Caller) => keysIn(buckets.files, `account_exports/${uid}/`);

async function foundOf({ uid }: Caller) {
  const parts = testParts();
  const urls = {
    ...parts.postgres.urls,
    media: service.databaseUrl,
    creators: others.creators.url,
    offerings: others.offerings.url,
  };
  const found = await reconcile({ ...parts, postgres: { ...parts.postgres, urls } }, { settle: 0 });
  return found.filter(({ what }) => what.includes(uid));
}
const findingsOf = async (caller: Caller) => (await foundOf(caller)).map(({ what }) => what);
const repairOf = async (caller: Caller) => {
  for (const { repair } of await foundOf(caller)) await repair?.();
};

const profile = { displayName: 'Ada', bio: 'Letters' };

async function begin(caller: Caller): Promise<string> {
  const { id } = await service.ask(media.startExport, {}, caller);
  await service.ask(media.addToExport, { id, attempt: 0, name: 'profile.json', content: profile }, caller);
  return id;
}

async function exported(caller: Caller): Promise<string> {
  const id = await begin(caller);
  await service.ask(media.makeExport, { id, attempt: 0 }, caller);
  return id;
}

async function entriesAt(url: string | null): Promise<Record<string, Uint8Array>> {
  const answer = await fetch(url ?? '');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('cache-control')).toBe('private, no-store');
  expect(answer.headers.get('content-disposition')).toContain('stoa-export.zip');
  return unzipSync(new Uint8Array(await answer.arrayBuffer()));
}
const jsonOf = (bytes: Uint8Array | undefined): unknown => JSON.parse(strFromU8(bytes ?? new Uint8Array()));

test('an export contains records, largest pictures and files, and is announced', async () => {
  const caller = owner();
  const picture = await completePicture(service, caller, await upload(service, caller, png));
  const bytes = randomBytes(300_000);
  const file = await uploadFile(service, caller, bytes);
  await service.ask(media.complete, { id: file, kind: 'file' }, caller);
  const id = await exported(caller);
  const { url, expiresAt } = await isReady(caller);
  const entries = await entriesAt(url);
  const names = ['profile.json', `pictures/${picture.id}.webp`, `files/${file}/letters.pdf`];
  expect(Object.keys(entries).toSorted()).toEqual(names.toSorted());
  expect(jsonOf(entries['profile.json'])).toEqual(profile);
  expect(Buffer.from(entries[`files/${file}/letters.pdf`] ?? []).equals(bytes)).toBe(true);
  const stat = await store.statObject(buckets.public, `${picture.path}/${Math.max(...picture.widths)}.webp`);
  expect(entries[`pictures/${picture.id}.webp`]).toHaveLength(stat.size);
  const announced = await service.events.next(media.exportEnded, (facts) => facts.uid === caller.uid);
  expect(announced).toMatchObject({ id, expiresAt });
  const { rows } = await client.query('SELECT 1 FROM export_part WHERE export_id = $1', [id]);
  expect(rows).toEqual([]);
});

test('another account neither sees an export nor adds to it', async () => {
  const [caller, stranger] = [owner(), owner()];
  const id = await begin(caller);
  const theirs = { id, attempt: 0, name: 'profile.json', content: {} };
  for (const attempt of [
    service.ask(media.addToExport, theirs, stranger),
    service.ask(media.makeExport, { id, attempt: 0 }, stranger),
  ])
    await expect(attempt).rejects.toMatchObject({ code: 'conflict' });
  await service.ask(media.makeExport, { id, attempt: 0 }, caller);
  await isReady(caller);
  expect(await exportOf(stranger)).toEqual({ state: 'none', expiresAt: null, url: null });
  // Without its signature, the address must not give access.
  const { url } = await exportOf(caller);
  expect((await fetch((url ?? '').split('?')[0] ?? '')).status).toBe(403);
});

test('a session without a recent log-in exports nothing', async () => {
  const before = Date.now() - limits.freshLoginMinutes * 60_000 - 1000;
  for (const authenticatedAt of [undefined, new Date(before).toISOString()]) {
    const attempt = service.ask(media.startExport, {}, { ...makeCaller(), authenticatedAt });
    await expect(attempt).rejects.toMatchObject({ code: 'forbidden' });
  }
});

test('an account makes one export at a time, and a limited number a day', async () => {
  const caller = owner();
  const row = `INSERT INTO account_export (id, uid, due_at, ready_at, remove_after, next_try_at)
               VALUES ($1, $2, now(), $3, now() + interval '1 day', now() + interval '1 day')`;
  const underWay = randomUUID();
  await client.query(row, [underWay, caller.uid, null]);
  await expect(begin(caller)).rejects.toMatchObject({ code: 'conflict' });
  await client.query('UPDATE account_export SET ready_at = now() WHERE id = $1', [underWay]);
  for (let made = 1; made < limits.exportsPerDay; made += 1)
    await client.query(row, [randomUUID(), caller.uid, new Date()]);
  await expect(begin(caller)).rejects.toMatchObject({ code: 'rate_limited' });
  await client.query(`UPDATE account_export SET requested_at = now() - interval '25 hours' WHERE id = $1`, [
    underWay,
  ]);
  await begin(caller);
});

test('an export being collected is leased to one gateway at a time', async () => {
  const caller = owner();
  const id = await begin(caller);
  expect((await exportOf(caller)).state).toBe('making');
  await expect(begin(caller)).rejects.toMatchObject({ code: 'conflict' });
  // Adding a record has renewed the lease, so no other gateway gets the export.
  const take = async () => (await service.ask(media.takeExport, {})).export;
  expect(await take()).toBeNull();
  const endLease = () => client.query('UPDATE account_export SET collect_at = now() WHERE id = $1', [id]);
  await endLease();
  expect(await take()).toEqual({
    id,
    attempt: 1,
    caller: expect.objectContaining({ uid: caller.uid, email: caller.email }),
  });
  expect(await take()).toBeNull();
  await endLease();
  await service.ask(media.makeExport, { id, attempt: 1 }, caller);
  expect(await take()).toBeNull();
  const { rows } = await client.query('SELECT caller FROM account_export WHERE id = $1', [id]);
  expect(rows).toEqual([{ caller: null }]);
});

test('an export contains the records of the last attempt only', async () => {
  const caller = owner();
  const { id } = await service.ask(media.startExport, {}, caller);
  const take = async () => {
    await client.query('UPDATE account_export SET collect_at = now() WHERE id = $1', [id]);
    const { export: taken } = await service.ask(media.takeExport, {});
    expect(taken).toMatchObject({ id });
    return taken?.attempt ?? -1;
  };
  const add = (attempt: number, name: string) =>
    service.ask(media.addToExport, { id, attempt, name, content: { attempt } }, caller);
  const refused = { code: 'conflict' };

  const first = await take();
  for (const name of ['messages-1.json', 'messages-2.json', 'messages-3.json']) await add(first, name);
  // A second gateway leases the export, while the slow first one continues to add records.
  const second = await take();
  await add(second, 'messages-1.json');
  await expect(add(first, 'messages-2.json')).rejects.toMatchObject(refused);
  await expect(service.ask(media.makeExport, { id, attempt: first }, caller)).rejects.toMatchObject(refused);
  expect((await exportOf(caller)).state).toBe('making');
  await service.ask(media.makeExport, { id, attempt: second }, caller);
  // A repeated request must change nothing.
  await service.ask(media.makeExport, { id, attempt: second }, caller);

  const entries = await entriesAt((await isReady(caller)).url);
  expect(Object.keys(entries)).toEqual(['messages-1.json']);
  expect(jsonOf(entries['messages-1.json'])).toEqual({ attempt: second });
  const { rows } = await client.query('SELECT 1 FROM export_part WHERE export_id = $1', [id]);
  expect(rows).toEqual([]);
});

test('an export without complete records fails after an hour and accepts no more', async () => {
  const caller = owner();
  const id = await begin(caller);
  await client.query(
    `UPDATE account_export SET requested_at = now() - interval '61 minutes', next_try_at = now() WHERE id = $1`,
    [id],
  );
  const event = await service.events.next(media.exportEnded, (facts) => facts.uid === caller.uid);
  expect(event).toMatchObject({ id, expiresAt: null });
  expect((await exportOf(caller)).state).toBe('failed');
  const late = service.ask(media.addToExport, { id, attempt: 0, name: 'late.json', content: {} }, caller);
  await expect(late).rejects.toMatchObject({ code: 'conflict' });
});

test('an expired export is removed with its object, and reconcile finds no difference [media-13]', async () => {
  const caller = owner();
  const id = await exported(caller);
  await isReady(caller);
  expect(await objectsOf(caller)).toHaveLength(1);
  expect(await findingsOf(caller)).toEqual([]);
  await client.query('UPDATE account_export SET remove_after = now() WHERE id = $1', [id]);
  expect(await exportOf(caller)).toEqual({ state: 'none', expiresAt: null, url: null });
  await exported(caller);
  const rows = async () => (await client.query('SELECT 1 FROM account_export WHERE id = $1', [id])).rows;
  await waitFor(async () => expect(await rows()).toEqual([]), soon);
  await isReady(caller);
  expect(await objectsOf(caller)).toHaveLength(1);
  expect(await findingsOf(caller)).toEqual([]);
});

test('closing an account removes its exports', async () => {
  const caller = owner();
  await exported(caller);
  await isReady(caller);
  await service.announce(identity.closed, { uid: caller.uid, at: new Date().toISOString() });
  await waitFor(async () => expect((await exportOf(caller)).state).toBe('none'), soon);
  await waitFor(async () => expect(await objectsOf(caller)).toEqual([]), soon);
});

test('an export that cannot be made is given up and announced as failed', async () => {
  const caller = owner();
  const id = await begin(caller);
  // Absolute paths are not allowed in archives, so every attempt to make this one fails.
  await client.query('INSERT INTO export_part VALUES ($1, $2, $3)', [id, '/profile.json', profile]);
  await service.ask(media.makeExport, { id, attempt: 0 }, caller);
  const attempts = async () =>
    Number((await client.query('SELECT attempts FROM account_export WHERE id = $1', [id])).rows[0].attempts);
  await waitFor(async () => expect(await attempts()).toBeGreaterThan(0), soon);
  // Sets the state after an hour of attempts, so that the next one is the last.
  await client.query('UPDATE account_export SET attempts = 11, next_try_at = now() WHERE id = $1', [id]);
  const announced = await service.events.next(media.exportEnded, (facts) => facts.uid === caller.uid);
  expect(announced).toMatchObject({ id, expiresAt: null });
  expect(await exportOf(caller)).toEqual({ state: 'failed', expiresAt: null, url: null });
  expect(await objectsOf(caller)).toEqual([]);
});

test('an export whose process crashed on each attempt is given up', async () => {
  const caller = owner();
  await client.query(
    `INSERT INTO account_export (id, uid, due_at, attempts, next_try_at, remove_after)
     VALUES ($1, $2, now(), 500, now(), now() + interval '1 day')`,
    [randomUUID(), caller.uid],
  );
  await waitFor(async () => expect((await exportOf(caller)).state).toBe('failed'), soon);
});

test('a picture missing in the store is named in the archive', async () => {
  const caller = owner();
  const picture = await completePicture(service, caller, await upload(service, caller, png));
  for (const key of await keysIn(buckets.public, picture.path)) await store.removeObject(buckets.public, key);
  await exported(caller);
  const { url } = await isReady(caller);
  expect(jsonOf((await entriesAt(url))['left-out.json'])).toEqual([`pictures/${picture.id}.webp`]);
});

test('a file missing in the store is named in the archive', async () => {
  const caller = owner();
  const file = await uploadFile(service, caller, randomBytes(1000));
  await service.ask(media.complete, { id: file, kind: 'file' }, caller);
  await store.removeObject(buckets.files, `offering_files/${caller.uid}/${file}`);
  await exported(caller);
  const { url } = await isReady(caller);
  expect(jsonOf((await entriesAt(url))['left-out.json'])).toEqual([`files/${file}/letters.pdf`]);
});

test('an export without its archive is found, and no longer offered after the repair', async () => {
  const caller = owner();
  const id = await exported(caller);
  await isReady(caller);
  const key = `account_exports/${caller.uid}/${id}.zip`;
  await store.removeObject(buckets.files, key);
  expect(await findingsOf(caller)).toEqual([`export ${id} lacks its archive at ${key}`]);
  await repairOf(caller);
  expect((await exportOf(caller)).state).toBe('none');
  expect(await findingsOf(caller)).toEqual([]);
});

test('an archive without its export is found and removed', async () => {
  const caller = owner();
  await store.putObject(buckets.files, `account_exports/${caller.uid}/${randomUUID()}.zip`, 'left');
  expect(await findingsOf(caller)).toHaveLength(1);
  await repairOf(caller);
  expect(await objectsOf(caller)).toEqual([]);
});

// These tests come last, because they stop the first process. The next one continues when the lease ends.
test.each(['before the archive is stored', 'after the archive is stored, before that is recorded'])(
  'a process killed %s is replaced by the next',
  async (when) => {
    await service.app.close();
    const { uid } = owner();
    const id = randomUUID();
    await client.query(
      `INSERT INTO account_export (id, uid, due_at, attempts, next_try_at, remove_after)
       VALUES ($1, $2, now(), 1, now() + interval '1 second', now() + interval '1 day')`,
      [id, uid],
    );
    await client.query('INSERT INTO export_part VALUES ($1, $2, $3)', [id, 'profile.json', profile]);
    const key = `account_exports/${uid}/${id}.zip`;
    if (when.startsWith('after')) await store.putObject(buckets.files, key, 'half');
    const next = await runService(MediaModule);
    const announced = await service.events.next(media.exportEnded, (facts) => facts.uid === uid);
    expect(announced.expiresAt).not.toBeNull();
    const chunks = await (await store.getObject(buckets.files, key)).toArray();
    expect(jsonOf(unzipSync(new Uint8Array(Buffer.concat(chunks)))['profile.json'])).toEqual(profile);
    await next.stop();
  },
);
