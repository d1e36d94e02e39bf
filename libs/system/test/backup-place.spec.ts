import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { migrateAll } from '../src/apps/migrate.ts';
import { backUp } from '../src/backup/backup.ts';
import type { BackupPlace } from '../src/backup/backup-place.ts';
import { backupFiles, backupNamesIn } from '../src/backup/backups.ts';
import { folderPlace } from '../src/backup/folder-place.ts';
import { newKeys, type SealingKeys } from '../src/backup/sealed-file.ts';
import { type Parts, startParts, withClient } from '../src/index.ts';
import { Problem } from '../src/problem.ts';

let parts: Parts;
let folder: string;
let place: BackupPlace;
let sealing: SealingKeys;
beforeAll(async () => {
  parts = await startParts({ only: ['postgres', 'nats', 'minio'] });
  folder = mkdtempSync(join(tmpdir(), 'stoa-backup-place-'));
  ({ sealing } = await newKeys());
}, 600_000);
afterAll(async () => {
  await parts.stop();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  place = folderPlace(mkdtempSync(join(folder, 'place-')));
});

/** Runs `work` while identity's database does not exist. */
async function withoutDatabase(work: () => Promise<void>): Promise<void> {
  const rename = (from: string, to: string) =>
    withClient(parts.postgres.adminUrl, (admin) => admin.query(`ALTER DATABASE ${from} RENAME TO ${to}`));
  await rename('identity', 'identity_away');
  try {
    await work();
  } finally {
    await rename('identity_away', 'identity');
  }
}

it('refuses to back up an installation that was never set up', async () => {
  const refused = async () => {
    const made = backUp(parts, { place, keys: sealing });
    await expect(made).rejects.toThrow(Problem);
    await expect(made).rejects.toThrow('There is nothing to back up: the installation was never set up.');
  };

  await refused();
  await withoutDatabase(refused);
  expect(await place.list('')).toEqual([]);
}, 180_000);

it('does not finish a backup in a place that another installation has claimed during it', async () => {
  await migrateAll(parts);
  const another = `${randomUUID()}\n`;
  const theirs = '2020-01-01T00-00-00-000Z';
  const written: string[] = [];
  const raced: BackupPlace = {
    ...place,
    async write(file, content) {
      await place.write(file, content);
      written.push(file);
      if (!file.endsWith(`/${backupFiles.objects}`)) return;
      await place.write('installation', Readable.from([another]));
      await place.write(`${theirs}/${backupFiles.manifest}`, Readable.from(['sealed']));
    },
  };
  const calls: string[] = [];
  const onMade = async () => void calls.push('made');

  await expect(backUp(parts, { place: raced, keys: sealing, onMade })).rejects.toThrow(
    'holds the backups of another installation',
  );

  expect(await backupNamesIn(place)).toEqual([theirs]);
  expect(written.filter((file) => file.endsWith(backupFiles.manifest))).toEqual([]);
  expect(await text(await place.read('installation'))).toBe(another);
  expect(calls).toEqual([]);
}, 180_000);
