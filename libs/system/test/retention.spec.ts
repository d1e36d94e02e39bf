import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { bucketPlace } from '../src/backup/bucket-place.ts';
import type { BackupPlace } from '../src/backup/backup-place.ts';
import { completeBackupsIn, backupFiles, backupNamesIn } from '../src/backup/backups.ts';
import { forEachConcurrently } from '../src/backup/for-each-concurrently.ts';
import { objectsFolder, storeClient } from '../src/backup/object-copy.ts';
import { removeOldBackups } from '../src/backup/retention.ts';
import { type Parts, startParts } from '../src/index.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const newest = Date.parse('2026-11-25T00:01:00.000Z');
const nameAt = (ms: number) => new Date(ms).toISOString().replaceAll(/[:.]/g, '-');
const made = nameAt(newest);

let parts: Parts;
let place: BackupPlace;
/** Number of requests for a single file. */
let looks: number;
let bucket = 0;

beforeAll(async () => {
  parts = await startParts({ only: ['minio'] });
});
afterAll(() => parts.stop());

beforeEach(async () => {
  const { endpoint, root } = parts.minio;
  bucket += 1;
  const name = `backups-${bucket}`;
  await storeClient(parts.minio).makeBucket(name);
  const real = bucketPlace(`s3://${name}/stoa`, { endpoint, region: 'us-east-1', ...root });
  looks = 0;
  const counted = <T>(work: (file: string) => Promise<T>) => {
    return (file: string) => {
      looks += 1;
      return work(file);
    };
  };
  place = { ...real, has: counted(real.has), read: counted(real.read) };
});

async function put(name: string, copies: readonly string[], isComplete = true): Promise<void> {
  await place.write(`${name}/${backupFiles.objects}`, Readable.from(copies.map((copy) => `${copy}\n`)));
  if (isComplete) await place.write(`${name}/${backupFiles.manifest}`, Readable.from(['{}']));
}

const putCopies = (names: readonly string[]) =>
  forEachConcurrently(names, (name) => place.write(`${objectsFolder}/${name}`, Readable.from([name])));

const hourMs = 60 * minuteMs;
const at = (hours: number) => nameAt(newest - hours * hourMs);

it('backups of the last day stay, and the last one of each day for the given number of days [system-23]', async () => {
  // Two days with a backup every six hours, then two a day. A pause of a month does not count.
  const month = 30 * 24;
  const all = [0, 6, 12, 18, 24, 30, 36, 42, 48, 72, 73, month + 96, month + 97, month + 120].map(at);
  await forEachConcurrently(all, (name) => put(name, [`of ${name}`, 'of all']));
  await putCopies(['of all', ...all.map((name) => `of ${name}`)]);
  await removeOldBackups(place, made, { days: 6 });
  const kept = [0, 6, 12, 18, 24, 30, 72, 73, month + 96].map(at).toSorted();
  expect(await completeBackupsIn(place)).toEqual(kept);
  expect((await place.list(objectsFolder)).toSorted()).toEqual(
    ['of all', ...kept.map((name) => `of ${name}`)].toSorted(),
  );
});

it('the given number of newest backups stays', async () => {
  const all = [3, 2, 1, 0].map((days) => nameAt(newest - days * dayMs));
  await forEachConcurrently(all, (name) => put(name, ['of all']));
  await removeOldBackups(place, made, { newest: 2 });
  expect(await completeBackupsIn(place)).toEqual(all.slice(-2));
});

it('an unfinished backup is removed with its copies, and does not count for its day', async () => {
  const [old, broken, before] = [dayMs + 30 * minuteMs, dayMs + 20 * minuteMs, 6 * minuteMs].map((ms) =>
    nameAt(newest - ms),
  );
  const unfinished = nameAt(newest - 3 * minuteMs);
  await put(old!, ['a']);
  await put(broken!, ['b'], false);
  await put(before!, ['a']);
  await put(unfinished, [], false);
  await put(made, ['a']);
  await putCopies(['a', 'lost']);
  await removeOldBackups(place, made, { days: 30 });
  expect(await backupNamesIn(place)).toEqual([old, before, made]);
  expect(await place.list(objectsFolder)).toEqual(['a']);
});

it('an unfinished backup is removed even between complete ones, and its day does not count', async () => {
  const [oldest, ...others] = [96, 72, 48, 24.5, 24, 0.01, 0].map(at);
  await put(oldest!, ['a']);
  await put(others[0]!, ['b'], false);
  // Removes only the manifest, like an interrupted removal of a backup.
  await place.write(`${others[1]}/${backupFiles.manifest}`, Readable.from(['{}']));
  for (const name of others.slice(2)) await put(name, ['a']);
  await putCopies(['a', 'b']);
  await removeOldBackups(place, made, { days: 4 });
  expect(await backupNamesIn(place)).toEqual([oldest, ...others.slice(2)]);
  expect(await place.list(objectsFolder)).toEqual(['a']);
});

it('copies stay if a newer backup needs them, or if its list is missing', async () => {
  const later = at(-1);
  await put(made, ['a']);
  await put(later, ['b']);
  await place.write(`${at(-2)}/${backupFiles.rows('media', 'upload')}`, Readable.from(['rows']));
  await putCopies(['a', 'b', 'c']);
  expect(await removeOldBackups(place, made, { days: 30 })).toEqual([later, at(-2)]);
  expect((await place.list(objectsFolder)).toSorted()).toEqual(['a', 'b', 'c']);
  await put(at(-2), [], false);
  await removeOldBackups(place, made, { days: 30 });
  expect((await place.list(objectsFolder)).toSorted()).toEqual(['a', 'b']);
  expect(await backupNamesIn(place)).toEqual([made, later, at(-2)]);
});

it('copies stay while a complete backup lacks its list of copies', async () => {
  const noon = newest + dayMs / 2;
  const names = Array.from({ length: 14 }, (_, number) => nameAt(noon - number * minuteMs));
  await forEachConcurrently(names, (name) => put(name, ['one'], name !== names[3]));
  await place.removeFile(`${names[12]}/${backupFiles.objects}`);
  await putCopies(['one', 'unsaid']);
  await removeOldBackups(place, names[0]!, { days: 30 });
  expect(await backupNamesIn(place)).toEqual(names.filter((name) => name !== names[3]).toSorted());
  expect(await place.list(objectsFolder)).toEqual(['one', 'unsaid']);
});

it('nothing is removed if the place does not list the backup just made', async () => {
  await put(at(72), ['a']);
  await put(at(1), ['a']);
  await expect(removeOldBackups(place, made, { newest: 1 })).rejects.toThrow(
    `does not list the new backup ${made}`,
  );
  expect(await backupNamesIn(place)).toEqual([at(72), at(1)]);
});

it('a wrong clock removes no history: most backups are removed only on request [system-24]', async () => {
  const all = Array.from({ length: 70 }, (_, number) => nameAt(newest - number * 3 * minuteMs)).toSorted();
  await forEachConcurrently(all, (name) => put(name, ['one']));
  const ahead = nameAt(newest + 365 * dayMs);
  await put(ahead, ['one']);
  await putCopies(['one', 'lost']);
  await expect(removeOldBackups(place, ahead, { days: 30 })).rejects.toThrow(
    /61 of the 71 backups.*clock.*--remove-most/s,
  );
  expect(await backupNamesIn(place)).toEqual([...all, ahead]);
  // Copies that no backup needs are removed nevertheless.
  expect(await place.list(objectsFolder)).toEqual(['one']);
  await removeOldBackups(place, ahead, { days: 30 }, true);
  expect(await backupNamesIn(place)).toEqual([...all.slice(-9), ahead]);
}, 180_000);

it('a run removes at most fifty backups, the oldest first, and the next run continues', async () => {
  const recent = Array.from({ length: 40 }, (_, number) => nameAt(newest - number * minuteMs));
  const old = Array.from({ length: 61 }, (_, number) => nameAt(newest - 2 * dayMs - (number + 2) * minuteMs));
  await forEachConcurrently([...recent, ...old], (name) => put(name, ['one']));
  await removeOldBackups(place, made, { days: 30 });
  expect(await backupNamesIn(place)).toEqual([...recent, ...old.slice(0, 11)].toSorted());
  await removeOldBackups(place, made, { days: 30 });
  expect(await backupNamesIn(place)).toEqual([...recent, old[0]].toSorted());
}, 180_000);

it('a backup whose removal breaks off is no longer complete', async () => {
  const old = at(72);
  await put(old, ['a']);
  await put(made, ['a']);
  const broken = { ...place, removeFolder: () => Promise.reject(new Error('broken off')) };
  await expect(removeOldBackups(broken, made, { newest: 1 })).rejects.toThrow('broken off');
  expect([await backupNamesIn(place), await completeBackupsIn(place)]).toEqual([[old, made], [made]]);
});

it.each(['has', 'removeFolder'] as const)(
  'a folder at which %s fails keeps no other from going',
  async (step) => {
    const [bad, old] = [at(96), at(72)];
    await forEachConcurrently([bad, old, made], (name) => put(name, ['a']));
    await putCopies(['a', 'lost']);
    const work = place[step];
    const fails = (file: string) => file.startsWith(bad);
    const broken = {
      ...place,
      [step]: (file: string) => (fails(file) ? Promise.reject(new Error('EIO')) : work(file)),
    };
    await expect(removeOldBackups(broken, made, { days: 1 })).rejects.toThrow(`${bad}: EIO`);
    expect(await backupNamesIn(place)).toEqual([bad, made]);
    // If a backup cannot be checked, it is unknown which copies it needs.
    expect(await place.list(objectsFolder)).toEqual(step === 'has' ? ['a', 'lost'] : ['a']);
  },
);

it('a run stops after a few failures of the place', async () => {
  const old = Array.from({ length: 20 }, (_, number) => at(72 + number));
  await forEachConcurrently([...old, made], (name) => put(name, ['a']));
  let tries = 0;
  const removeFile = () => Promise.reject(new Error(`EIO ${(tries += 1)}`));
  await expect(removeOldBackups({ ...place, removeFile }, made, { days: 1 })).rejects.toThrow('EIO 1');
  expect(tries).toBeLessThan(10);
});

it("an unfinished backup does not prevent the day's first backup from checking all", async () => {
  const [unseen, ...others] = [3, 2, 1, 0].map(at);
  await put(unseen!, ['a'], false);
  for (const name of others) await put(name, ['a']);
  await put(nameAt(newest - 30_000), [], false);
  await removeOldBackups(place, made, { days: 2 });
  expect(await backupNamesIn(place)).toEqual(others);
});

it('the files of a folder are removed concurrently', async () => {
  const { endpoint, root } = parts.minio;
  const second = Promise.withResolvers<void>();
  let removed = 0;
  // Answers the first removal only after the second one has arrived.
  const store = createServer(async ({ method, url, headers }, response) => {
    if (method === 'DELETE' && (removed += 1) === 2) second.resolve();
    if (method === 'DELETE') await second.promise;
    request(`${endpoint}${url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    }).end();
  });
  await once(store.listen(0, '127.0.0.1'), 'listening');
  const slow = `http://127.0.0.1:${(store.address() as AddressInfo).port}`;
  try {
    await put(made, ['a']);
    await bucketPlace(place.address, {
      endpoint: slow,
      region: 'us-east-1',
      silentMs: 10_000,
      ...root,
    }).removeFolder(made);
    expect(await backupNamesIn(place)).toEqual([]);
  } finally {
    store.closeAllConnections();
    store.close();
  }
});

it('a run checks the ten newest backups and one of each day, of any number', async () => {
  const noon = newest + dayMs / 2;
  const recent = Array.from({ length: 481 }, (_, number) => noon - number * 3 * minuteMs);
  const daily = Array.from({ length: 29 }, (_, number) => noon - (number + 2) * dayMs);
  const yesterdays = [noon - dayMs - 3 * minuteMs, noon - dayMs - 6 * minuteMs];
  const all = [...recent, ...yesterdays, ...daily].map(nameAt);
  await forEachConcurrently(all, (name) => put(name, ['one']));
  await removeOldBackups(place, nameAt(noon), { days: 31 });
  expect(await backupNamesIn(place)).toHaveLength(all.length - 2);
  // A check requests two files of each backup.
  expect(looks).toBeLessThanOrEqual(2 * (10 + 31));
}, 180_000);
