import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { plainReporter, type Parts, startParts } from '../src/index.ts';
import { storeClient } from '../src/backup/object-copy.ts';
import { type NativeOptions, prepare } from '../src/parts/native.ts';

let parts: Parts;
beforeAll(async () => {
  parts = await startParts({ only: ['postgres', 'nats', 'minio', 'mail'] });
}, 600_000);
afterAll(() => parts.stop());

/** Every file below a folder that other users can read. */
function readableByOthers(folder: string): string[] {
  // Entering a folder requires its execute bit, listing it the read bit.
  if ((statSync(folder).mode & 0o001) === 0) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return readableByOthers(path);
    return entry.isFile() && (statSync(path).mode & 0o004) !== 0 ? [path] : [];
  });
}

// Containers keep their data in volumes, which Docker protects; the folder is empty then.
it('keeps the data of every native part from other users of the machine', async () => {
  await storeClient(parts.minio).putObject(parts.minio.buckets.files, 'sold', Buffer.from('sold'), 4);
  expect(readableByOthers(parts.dir)).toEqual([]);
}, 60_000);

// Only prepared, not started, which would take a minute.
it.each([
  ['Keycloak', 'keycloak', 'data/keycloak/data/cache'],
  ['versitygw', 'minio', 'data/versitygw/objects/sold'],
] as const)(
  'keeps the data of %s from other users of the machine',
  async (_, part, file) => {
    const folder = mkdtempSync(join(tmpdir(), 'stoa-folders-'));
    try {
      const described = { ...parts, minio: { ...parts.minio, store: 'versitygw' } };
      const options = { folder, parts: described, ports: {} } as unknown as NativeOptions;
      await prepare[part](options, plainReporter(() => undefined).task(part, 'preparing'));
      const path = join(folder, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, 'of one user', { mode: 0o644 });
      // Only below `data`: other users cannot enter the folder above.
      expect(readableByOthers(join(folder, 'data'))).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  600_000,
);
