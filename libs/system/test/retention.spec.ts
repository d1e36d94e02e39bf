import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { bucketPlace } from '../src/backup/bucket-place.ts';
import type { BackupPlace } from '../src/backup/backup-place.ts';
import { backupsIn, files, namesIn } from '../src/backup/backups.ts';
import { forEach } from '../src/backup/for-each.ts';
import { objectsFolder, storeClient } from '../src/backup/object-copy.ts';
import { removeOld } from '../src/backup/retention.ts';
import { type Parts, startParts } from '../src/index.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const newest = Date.parse('2026-11-25T00:01:00.000Z');
const nameAt = (ms: number) => new Date(ms).toISOString().replaceAll(/[:.]/g, '-');
const made = nameAt(newest);

let parts: Parts;
let place: BackupPlace;
/** How often one file was looked for or read. */
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

async function put(name: string, copies: readonly string[], isWhole = true): Promise<void> {
  await place.write(`${name}/${files.objects}`, Readable.from(copies.map((copy) => `${copy}\n`)));
  if (isWhole) await place.write(`${name}/${files.manifest}`, Readable.from(['{}']));
}

const putCopies = (names: readonly string[]) =>
  forEach(names, (name) => place.write(`${objectsFolder}/${name}`, Readable.from([name])));

const hourMs = 60 * minuteMs;
const at = (hours: number) => nameAt(newest - hours * hourMs);

it('all of the last day stay and the last one of each day that has one, for so many of them', async () => {
  // Two days of one every six hours, then two a day, of which a pause of a month has no part.
  const month = 30 * 24;
  const all = [0, 6, 12, 18, 24, 30, 36, 42, 48, 72, 73, month + 96, month + 97, month + 120].map(at);
  await forEach(all, (name) => put(name, [`of ${name}`, 'of all']));
  await putCopies(['of all', ...all.map((name) => `of ${name}`)]);
  await removeOld(place, made, { days: 6 });
  const kept = [0, 6, 12, 18, 24, 30, 72, 73, month + 96].map(at).toSorted();
  expect(await backupsIn(place)).toEqual(kept);
  expect((await place.list(objectsFolder)).toSorted()).toEqual(
    ['of all', ...kept.map((name) => `of ${name}`)].toSorted(),
  );
});

it('so many of the newest stay where that is asked for', async () => {
  const all = [3, 2, 1, 0].map((days) => nameAt(newest - days * dayMs));
  await forEach(all, (name) => put(name, ['of all']));
  await removeOld(place, made, { newest: 2 });
  expect(await backupsIn(place)).toEqual(all.slice(-2));
});

it('one that was not finished goes, is never the one of its day, and leaves no copy behind', async () => {
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
  await removeOld(place, made, { days: 30 });
  expect(await namesIn(place)).toEqual([old, before, made]);
  expect(await place.list(objectsFolder)).toEqual(['a']);
});

it('one that was not finished goes from behind a whole one too, and is no day of those that are counted', async () => {
  const [oldest, ...others] = [96, 72, 48, 24.5, 24, 0.01, 0].map(at);
  await put(oldest!, ['a']);
  await put(others[0]!, ['b'], false);
  // As one that was removed by half.
  await place.write(`${others[1]}/${files.manifest}`, Readable.from(['{}']));
  for (const name of others.slice(2)) await put(name, ['a']);
  await putCopies(['a', 'b']);
  await removeOld(place, made, { days: 4 });
  expect(await namesIn(place)).toEqual([oldest, ...others.slice(2)]);
  expect(await place.list(objectsFolder)).toEqual(['a']);
});

it('copies stay that a newer backup needs, and all of them while a newer one does not say which', async () => {
  const later = at(-1);
  await put(made, ['a']);
  await put(later, ['b']);
  await place.write(`${at(-2)}/${files.rows('media', 'upload')}`, Readable.from(['rows']));
  await putCopies(['a', 'b', 'c']);
  expect(await removeOld(place, made, { days: 30 })).toEqual([later, at(-2)]);
  expect((await place.list(objectsFolder)).toSorted()).toEqual(['a', 'b', 'c']);
  await put(at(-2), [], false);
  await removeOld(place, made, { days: 30 });
  expect((await place.list(objectsFolder)).toSorted()).toEqual(['a', 'b']);
  expect(await namesIn(place)).toEqual([made, later, at(-2)]);
});

it('copies stay while a whole one does not say which it needs', async () => {
  const noon = newest + dayMs / 2;
  const names = Array.from({ length: 14 }, (_, number) => nameAt(noon - number * minuteMs));
  await forEach(names, (name) => put(name, ['one'], name !== names[3]));
  await place.removeFile(`${names[12]}/${files.objects}`);
  await putCopies(['one', 'unsaid']);
  await removeOld(place, names[0]!, { days: 30 });
  expect(await namesIn(place)).toEqual(names.filter((name) => name !== names[3]).toSorted());
  expect(await place.list(objectsFolder)).toEqual(['one', 'unsaid']);
});

it('nothing goes where the place does not show the backup just made', async () => {
  await put(at(72), ['a']);
  await put(at(1), ['a']);
  await expect(removeOld(place, made, { newest: 1 })).rejects.toThrow(`does not show ${made}`);
  expect(await namesIn(place)).toEqual([at(72), at(1)]);
});

it('a clock that is wrong removes no history: most of it goes only where that is asked for', async () => {
  const all = Array.from({ length: 70 }, (_, number) => nameAt(newest - number * 3 * minuteMs)).toSorted();
  await forEach(all, (name) => put(name, ['one']));
  const ahead = nameAt(newest + 365 * dayMs);
  await put(ahead, ['one']);
  await putCopies(['one', 'lost']);
  await expect(removeOld(place, ahead, { days: 30 })).rejects.toThrow(
    /61 of the 71 backups.*clock.*--remove-most/s,
  );
  expect(await namesIn(place)).toEqual([...all, ahead]);
  // What nothing needs goes all the same.
  expect(await place.list(objectsFolder)).toEqual(['one']);
  await removeOld(place, ahead, { days: 30 }, true);
  expect(await namesIn(place)).toEqual([...all.slice(-9), ahead]);
}, 180_000);

it('a run removes fifty at most, the oldest first, and the next ones the others', async () => {
  const recent = Array.from({ length: 40 }, (_, number) => nameAt(newest - number * minuteMs));
  const old = Array.from({ length: 61 }, (_, number) => nameAt(newest - 2 * dayMs - (number + 2) * minuteMs));
  await forEach([...recent, ...old], (name) => put(name, ['one']));
  await removeOld(place, made, { days: 30 });
  expect(await namesIn(place)).toEqual([...recent, ...old.slice(0, 11)].toSorted());
  await removeOld(place, made, { days: 30 });
  expect(await namesIn(place)).toEqual([...recent, old[0]].toSorted());
}, 180_000);

it('one whose removal breaks off is no whole one any more', async () => {
  const old = at(72);
  await put(old, ['a']);
  await put(made, ['a']);
  const broken = { ...place, removeFolder: () => Promise.reject(new Error('broken off')) };
  await expect(removeOld(broken, made, { newest: 1 })).rejects.toThrow('broken off');
  expect([await namesIn(place), await backupsIn(place)]).toEqual([[old, made], [made]]);
});

it.each(['has', 'removeFolder'] as const)(
  'a folder at which %s fails keeps no other from going',
  async (step) => {
    const [bad, old] = [at(96), at(72)];
    await forEach([bad, old, made], (name) => put(name, ['a']));
    await putCopies(['a', 'lost']);
    const work = place[step];
    const fails = (file: string) => file.startsWith(bad);
    const broken = {
      ...place,
      [step]: (file: string) => (fails(file) ? Promise.reject(new Error('EIO')) : work(file)),
    };
    await expect(removeOld(broken, made, { days: 1 })).rejects.toThrow(`${bad}: EIO`);
    expect(await namesIn(place)).toEqual([bad, made]);
    // Of one that cannot be looked into nobody knows what it needs.
    expect(await place.list(objectsFolder)).toEqual(step === 'has' ? ['a', 'lost'] : ['a']);
  },
);

it('a place at which everything fails is left alone after a few folders', async () => {
  const old = Array.from({ length: 20 }, (_, number) => at(72 + number));
  await forEach([...old, made], (name) => put(name, ['a']));
  let tries = 0;
  const removeFile = () => Promise.reject(new Error(`EIO ${(tries += 1)}`));
  await expect(removeOld({ ...place, removeFile }, made, { days: 1 })).rejects.toThrow('EIO 1');
  expect(tries).toBeLessThan(10);
});

it('what was begun on a day and not finished does not keep its first backup from looking into all', async () => {
  const [unseen, ...others] = [3, 2, 1, 0].map(at);
  await put(unseen!, ['a'], false);
  for (const name of others) await put(name, ['a']);
  await put(nameAt(newest - 30_000), [], false);
  await removeOld(place, made, { days: 2 });
  expect(await namesIn(place)).toEqual(others);
});

it('the files of a folder are removed side by side', async () => {
  const { endpoint, root } = parts.minio;
  const second = Promise.withResolvers<void>();
  let removed = 0;
  // Answers no removal before there is another.
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
    expect(await namesIn(place)).toEqual([]);
  } finally {
    store.closeAllConnections();
    store.close();
  }
});

it('a run looks into the ten newest and one of each day, however many there are', async () => {
  const noon = newest + dayMs / 2;
  const recent = Array.from({ length: 481 }, (_, number) => noon - number * 3 * minuteMs);
  const daily = Array.from({ length: 29 }, (_, number) => noon - (number + 2) * dayMs);
  const yesterdays = [noon - dayMs - 3 * minuteMs, noon - dayMs - 6 * minuteMs];
  const all = [...recent, ...yesterdays, ...daily].map(nameAt);
  await forEach(all, (name) => put(name, ['one']));
  await removeOld(place, nameAt(noon), { days: 31 });
  expect(await namesIn(place)).toHaveLength(all.length - 2);
  // Two files of each.
  expect(looks).toBeLessThanOrEqual(2 * (10 + 31));
}, 180_000);
