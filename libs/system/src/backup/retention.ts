import type { BackupPlace } from './backup-place.ts';
import { backupTime, isWhole, namesIn, objectNames } from './backups.ts';
import { forEach } from './for-each.ts';
import { objectsFolder, orphanedCopies } from './object-copy.ts';

/**
 * Which backups stay: the newest ones, so many; or all of the last 24 hours and the last one of each day before, in UTC, for so
 * many days.
 */
export type Retention = { readonly newest: number } | { readonly days: number };

const dayMs = 24 * 60 * 60_000;

const dayOf = (name: string) => name.slice(0, 'yyyy-mm-dd'.length);

/**
 * Removes the backups that nothing keeps, those that are not whole, and the copies of objects that none needs any more. It looks
 * into few backups, however many there are; only the first run of a day reads what each of them needs, and until then copies
 * stay that lie in none.
 *
 * @param made Whole; none that is newer is touched, or looked at.
 */
export async function removeOld(place: BackupPlace, made: string, retention: Retention): Promise<void> {
  const names = (await namesIn(place)).filter((name) => name <= made);
  const broken = await unfinishedBefore(place, names);
  const whole = names.filter((name) => !broken.includes(name));
  const old =
    'newest' in retention
      ? whole.slice(0, -retention.newest)
      : await thinnedOut(place, whole, retention.days);
  for (const name of [...broken, ...old]) await place.removeFolder(name);
  const isFirstOfDay = dayOf(whole.at(-2) ?? '') !== dayOf(made);
  // What a broken one has copied nobody has written down.
  if (isFirstOfDay || broken.length > 0 || ('newest' in retention && old.length > 0))
    await removeUnneededCopies(
      place,
      whole.filter((name) => !old.includes(name)),
    );
}

async function removeUnneededCopies(place: BackupPlace, backups: readonly string[]): Promise<void> {
  const needed = new Set<string>();
  await forEach(backups, async (name) => {
    for (const copy of await objectNames(place, name)) needed.add(copy);
  });
  await forEach(await orphanedCopies(place, needed), (copy) => place.removeFile(`${objectsFolder}/${copy}`));
}

/** What was begun since the last whole backup before this one, which has removed what it found. */
async function unfinishedBefore(place: BackupPlace, names: readonly string[]): Promise<string[]> {
  const broken: string[] = [];
  for (const name of names.slice(0, -1).toReversed()) {
    if (await isWhole(place, name)) break;
    broken.push(name);
  }
  return broken;
}

async function thinnedOut(place: BackupPlace, names: readonly string[], days: number): Promise<string[]> {
  const newest = backupTime(names.at(-1) ?? '');
  const ageMs = (name: string) => newest - backupTime(name);
  const old = names.filter((name) => ageMs(name) > days * dayMs);
  const ofDays = names.filter((name) => ageMs(name) > dayMs && !old.includes(name));
  for (const ofDay of Map.groupBy(ofDays, dayOf).values())
    if (ofDay.length > 1) old.push(...(await allButLastWhole(place, ofDay)));
  return old;
}

async function allButLastWhole(place: BackupPlace, names: readonly string[]): Promise<string[]> {
  for (const name of names.toReversed())
    if (await isWhole(place, name)) return names.filter((other) => other !== name);
  return [...names];
}
