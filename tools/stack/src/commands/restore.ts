import { migrateAll } from '@stoa/system/apps/migrate';
import type { Manifest } from '@stoa/system/backup/backup';
import { restore as restoreBackup } from '@stoa/system/backup/restore';
import { startParts } from '@stoa/system/parts/start-parts';
import { stateFolder } from '@stoa/system/paths';
import { Problem } from '@stoa/system/problem';
import { acquireSingleInstance } from '@stoa/system/processes/single-instance';
import { backupPlace } from '@stoa/system/settings/backup-settings';
import type { PartsDescription } from '@stoa/system/settings/parts-description';
import { parseArgs } from 'node:util';
import { externalParts } from './described-parts.ts';

/**
 * Restores the data of `npm start`, which must not be running, or of the parts that environment variables
 * describe.
 */
export async function restore(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { backup: { type: 'string' } },
  });
  const [address] = positionals;
  if (!address) throw new Problem('Name the folder or the bucket, as in "npm run stoa restore /backups".');
  const { BACKUP_IDENTITY: identity, BACKUP_VERIFICATION_KEY: verification } = process.env;
  if (!identity || !verification)
    throw new Problem('Set BACKUP_IDENTITY and BACKUP_VERIFICATION_KEY, as "stoa backup-key" printed them.');
  const place = backupPlace(address, process.env);
  const since = performance.now();
  const onChosen = (name: string, manifest: Manifest) =>
    console.log(`Restoring ${name}: everything as of ${manifest.at}.`);
  const options = { place, keys: { identity, verification }, name: values.backup, onChosen };
  const work = (parts: PartsDescription) => restoreBackup(parts, options);
  const { at } = await (process.env.NATS_PROVISION_PASSWORD ? work(externalParts(process.env)) : here(work));
  console.log(`Everything is as of ${at} again, after ${((performance.now() - since) / 1000).toFixed(1)} s.`);
  return 0;
}

async function here<T>(work: (parts: PartsDescription) => Promise<T>): Promise<T> {
  const release = await acquireSingleInstance(stateFolder, console.log);
  try {
    const all = { dir: stateFolder, ports: 'default', log: console.log } as const;
    // Starts all parts, because Keycloak creates the tables of its rows; it is stopped before they are
    // restored.
    const prepared = await startParts(all);
    await migrateAll(prepared).finally(prepared.stop);
    const parts = await startParts({ ...all, only: ['postgres', 'nats', 'minio'] });
    return await work(parts).finally(parts.stop);
  } finally {
    release();
  }
}
