import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { Problem } from '../problem.ts';
import type { BackupPlace } from './backup-place.ts';
import { forEach } from './for-each.ts';

/** The files of one backup. */
export const files = {
  manifest: 'manifest.json.age',
  rows: (database: string, table: string) => `${database}.${table}.copy.age`,
  stream: (name: string) => `${name}.snapshot.age`,
  /** Names alone, in the clear: old copies are removed without the key. */
  objects: 'objects.txt',
} as const;
/** A time in UTC without signs that a file system minds. */
const backupName = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)-(\d{3}Z)$/;

/** What a backup that begins now is called. */
export const newBackupName = (): string => new Date().toISOString().replaceAll(/[:.]/g, '-');

/** When it began, in milliseconds since 1970. */
export const backupTime = (name: string): number => Date.parse(name.replace(backupName, '$1:$2:$3.$4'));

/** All of a place, oldest first, whole or not; one list of names. */
export async function namesIn(place: BackupPlace): Promise<string[]> {
  return (await place.list('')).filter((name) => backupName.test(name)).toSorted();
}

/** Whether all of it was written. */
export const isWhole = (place: BackupPlace, name: string): Promise<boolean> =>
  place.has(`${name}/${files.manifest}`);

/** The whole backups of a place, oldest first. Asks for each of them: for a person, or a test. */
export async function backupsIn(place: BackupPlace): Promise<string[]> {
  const whole: string[] = [];
  await forEach(await namesIn(place), async (name) => {
    if (await isWhole(place, name)) whole.push(name);
  });
  return whole.toSorted();
}

/** So far ahead of this clock that of another machine may be; a backup of later has a wrong time. */
const aheadMs = 5 * 60_000;

/**
 * The newest whole backup of a place, those of a time to come passed over.
 *
 * @throws Problem where there are no others.
 */
export async function newestBackup(place: BackupPlace): Promise<string | undefined> {
  const names = (await namesIn(place)).toReversed();
  const isAhead = (name: string) => backupTime(name) > Date.now() + aheadMs;
  for (const name of names) if (!isAhead(name) && (await isWhole(place, name))) return name;
  const ahead = names.find(isAhead);
  if (ahead)
    throw new Problem(
      `${place.address} has no whole backup but of a time to come, such as ${ahead}: is the clock of this machine right? Name one with --backup.`,
    );
  return undefined;
}

/** What a manifest holds of the names of its objects. */
export const digestOf = (names: readonly string[]): string =>
  createHash('sha256').update(names.join('\n')).digest('hex');

/** Which copies of objects a backup needs. */
export async function objectNames(place: BackupPlace, name: string): Promise<string[]> {
  return (await text(await place.read(`${name}/${files.objects}`))).split('\n').filter(Boolean);
}
