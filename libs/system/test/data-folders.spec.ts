import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Parts, startParts } from '../src/index.ts';
import { storeClient } from '../src/backup/object-copy.ts';

let parts: Parts;
beforeAll(async () => {
  parts = await startParts({ only: ['postgres', 'nats', 'minio', 'mail'] });
}, 600_000);
afterAll(() => parts.stop());

/** Every file below a folder that a user who owns none of it can read. */
function readableByOthers(folder: string): string[] {
  // To enter a folder takes its bit for execution, to list it that for reading.
  if ((statSync(folder).mode & 0o001) === 0) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return readableByOthers(path);
    return entry.isFile() && (statSync(path).mode & 0o004) !== 0 ? [path] : [];
  });
}

// Containers keep their data in volumes, which Docker guards: nothing lies in the folder then.
it('keeps the data of every native part from other users of the machine', async () => {
  await storeClient(parts.minio).putObject(parts.minio.buckets.files, 'sold', Buffer.from('sold'), 4);
  expect(readableByOthers(parts.dir)).toEqual([]);
}, 60_000);
