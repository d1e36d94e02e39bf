import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, expect, it } from '@jest/globals';
import { backupFiles, newestBackup } from './backups.ts';
import { folderPlace } from './folder-place.ts';

const folder = mkdtempSync(join(tmpdir(), 'stoa-backups-'));
const place = folderPlace(folder);
const minuteMs = 60_000;

afterAll(() => rmSync(folder, { recursive: true }));

async function putWhole(inMs: number): Promise<string> {
  const name = new Date(Date.now() + inMs).toISOString().replaceAll(/[:.]/g, '-');
  await place.write(`${name}/${backupFiles.manifest}`, Readable.from(['{}']));
  return name;
}

it('a backup from the future is never the newest; without another, an operator must choose', async () => {
  expect(await newestBackup(place)).toBeUndefined();
  const ahead = await putWhole(365 * 24 * 60 * minuteMs);
  await expect(newestBackup(place)).rejects.toThrow(new RegExp(`${ahead}.*--backup`));
  await putWhole(-3 * minuteMs);
  const newest = await putWhole(0);
  expect(await newestBackup(place)).toBe(newest);
  // The clocks of two machines may differ slightly, so a backup may be a minute in the future.
  const little = await putWhole(minuteMs);
  expect(await newestBackup(place)).toBe(little);
});
