import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startParts } from '@stoa/system';
import { migrateAll } from '@stoa/system/apps/migrate';
import { backUp } from '@stoa/system/backup/backup';
import { folderPlace } from '@stoa/system/backup/folder-place';
import { restore } from '@stoa/system/backup/restore';
import { newKeys } from '@stoa/system/backup/sealed-file';
import { wipe } from '@stoa/system/testing/inventory';
import { fillSystem } from './stoa.ts';

/**
 * Prints how long a backup of `size` creators takes, and how long its restore into empty parts. The data
 * contains no pictures and no accounts.
 */
export async function measureBackups(size: number): Promise<void> {
  // Starts only the parts, because a restore requires that no app uses the databases.
  const parts = await startParts({ only: ['postgres', 'nats', 'minio'], durable: true });
  const folder = mkdtempSync(join(tmpdir(), 'stoa-bench-'));
  try {
    await migrateAll(parts);
    await fillSystem(parts, size);
    const { sealing, opening } = await newKeys();
    const place = folderPlace(folder);
    const [{ manifest, pausedMs }, took] = await timed(() => backUp(parts, { place, keys: sealing }));
    const rows = Object.values(manifest.databases)
      .flatMap(({ tables }) => tables.map((table) => table.rows))
      .reduce((sum, count) => sum + count, 0);
    await wipe(parts);
    const [, back] = await timed(() => restore(parts, { place, keys: opening }));
    console.log(
      `\nBackup: ${rows.toLocaleString('en')} rows, ${megabytes(folder)} MB sealed, in ${took} s (aim at most 120), no objects; writers waited for ${Math.round(pausedMs)} ms; restored in ${back} s (aim at most 300)`,
    );
  } finally {
    await parts.stop();
    rmSync(folder, { recursive: true });
  }
}

async function timed<T>(work: () => Promise<T>): Promise<[result: T, seconds: string]> {
  const began = performance.now();
  const result = await work();
  return [result, ((performance.now() - began) / 1000).toFixed(1)];
}

function megabytes(folder: string): string {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const bytes = entries
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
  return (bytes / 1e6).toFixed(0);
}
