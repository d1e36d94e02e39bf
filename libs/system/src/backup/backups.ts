import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { Problem } from '../problem.ts';
import type { BackupPlace } from './backup-place.ts';
import { forEachConcurrently } from './for-each-concurrently.ts';

/** The files of one backup. */
export const backupFiles = {
  manifest: 'manifest.json.age',
  rows: (database: string, table: string) => `${database}.${table}.copy.age`,
  stream: (name: string) => `${name}.snapshot.age`,
  /** Names are not encrypted, so that the backup job can remove old copies without the private key. */
  objects: 'objects.txt',
} as const;
/** A time in UTC, without characters that file systems reject. */
const backupName = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)-(\d{3}Z)$/;

/** The name of a backup that starts now. */
export const newBackupName = (): string => new Date().toISOString().replaceAll(/[:.]/g, '-');

export const backupTime = (name: string): number => Date.parse(name.replace(backupName, '$1:$2:$3.$4'));

/** All backups of a place, complete or not, oldest first. It sends one request to the place. */
export async function backupNamesIn(place: BackupPlace): Promise<string[]> {
  return (await place.list('')).filter((name) => backupName.test(name)).toSorted();
}

/** Whether the backup was written completely. */
export const isComplete = (place: BackupPlace, name: string): Promise<boolean> =>
  place.has(`${name}/${backupFiles.manifest}`);

/**
 * The complete backups of a place, oldest first. It sends a request for each one, so only people and tests
 * use it.
 */
export async function completeBackupsIn(place: BackupPlace): Promise<string[]> {
  const whole: string[] = [];
  await forEachConcurrently(await backupNamesIn(place), async (name) => {
    if (await isComplete(place, name)) whole.push(name);
  });
  return whole.toSorted();
}

/**
 * Accepted difference between the clocks of two machines, in milliseconds. A backup from further ahead has a
 * wrong time.
 */
const aheadMs = 5 * 60_000;

/**
 * The newest complete backup of a place, ignoring backups from the future.
 *
 * @throws Problem if only backups from the future exist.
 */
export async function newestBackup(place: BackupPlace): Promise<string | undefined> {
  const names = (await backupNamesIn(place)).toReversed();
  const isAhead = (name: string) => backupTime(name) > Date.now() + aheadMs;
  for (const name of names) if (!isAhead(name) && (await isComplete(place, name))) return name;
  const ahead = names.find(isAhead);
  if (ahead)
    throw new Problem(
      `${place.address} has only backups from the future, such as ${ahead}. Is the clock of this machine right? Name one with --backup.`,
    );
  return undefined;
}

export const digestOf = (names: readonly string[]): string =>
  createHash('sha256').update(names.join('\n')).digest('hex');

/** The names of the object copies that a backup needs. */
export async function objectNames(place: BackupPlace, name: string): Promise<string[]> {
  return (await text(await place.read(`${name}/${backupFiles.objects}`))).split('\n').filter(Boolean);
}
