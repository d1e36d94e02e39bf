import { Problem } from '../problem.ts';
import type { BackupPlace } from './backup-place.ts';
import { backupTime, files, isWhole, namesIn, objectNames } from './backups.ts';
import { forEach } from './for-each.ts';
import { objectsFolder, orphanedCopies } from './object-copy.ts';

/**
 * Which backups stay: the newest ones, so many; or all of the last 24 hours and the last one of each of so many days, in UTC,
 * the newest that have one. A pause or a clock that jumps makes no day older.
 */
export type Retention = { readonly newest: number } | { readonly days: number };

const dayMs = 24 * 60 * 60_000;
/** So many folders go in one run, which holds the lock of backups and has the deadline of a Job. */
const mostAtOnce = 50;
/** No clock makes fewer stay than the newest ten, or one for each day where fewer days are kept. */
const fewestKept = 10;
/** Where more of the backups than this would go, a wrong clock or a slip of the pen is likelier than a wish. */
const mostOfAll = 2 / 3;

/** So many folders that fail are passed over in one run; where more do, the place is away. */
const mostFailed = 5;

/** Answers nothing where `work` on a folder fails. */
type Passing = <T>(folder: string, work: () => Promise<T>) => Promise<T | undefined>;

const dayOf = (name: string) => name.slice(0, 'yyyy-mm-dd'.length);

/**
 * Removes the backups that nothing keeps, those that are not whole, and the copies of objects that none needs any more; fifty
 * backups at most. It looks into those alone that it counts on, the newest ones and one of each day, and into all of them in the
 * first run of a day; until then copies stay that lie in none. It goes on past a few folders that fail.
 *
 * @param made Whole; none that is newer is touched.
 * @param removesMost Whether as many go as it takes, at once.
 * @returns Those of a later time than `made`, oldest first.
 * @throws Problem where more than two thirds (and fifty) would go and `removesMost` does not say so, or the place does not show
 * `made`: none of them is gone; and, once the others are gone, where folders failed.
 */
export async function removeOld(
  place: BackupPlace,
  made: string,
  retention: Retention,
  removesMost = false,
): Promise<string[]> {
  const all = await namesIn(place);
  if (!all.includes(made))
    throw new Problem(
      `${place.address} does not show ${made}, just made there, so no old backup was removed.`,
    );
  const { passing, requireNone } = passingOver(mostFailed);
  const names = all.filter((name) => name <= made);
  const isFirst = await isFirstOfDay(place, names, passing);
  const { whole, kept, broken } = await lookInto(place, names, retention, isFirst, passing);
  const old = whole.filter((name) => !kept.has(name));
  const isRefused = !removesMost && old.length > Math.max(mostAtOnce, whole.length * mostOfAll);
  const due = [...broken, ...(isRefused ? [] : old)];
  const gone = new Set<string>();
  for (const name of removesMost ? due : due.slice(0, mostAtOnce))
    await passing(name, async () => {
      await remove(place, name);
      gone.add(name);
    });
  // What a broken one has copied nobody has written down.
  const leavesCopies = 'newest' in retention ? gone.size > 0 : broken.some((name) => gone.has(name));
  if (isFirst || leavesCopies) {
    const left = all.filter((name) => !gone.has(name));
    await passing(objectsFolder, () => removeUnneededCopies(place, left, made, passing));
  }
  if (isRefused)
    throw new Problem(
      `The backup ${made} is made, but ${old.length} of the ${whole.length} backups would have to be removed, so none was: ` +
        'is the clock of this machine right, were there none for long, or is fewer kept than before? If they may go, say --remove-most once.',
    );
  requireNone();
  return all.filter((name) => name > made);
}

/** Goes on past so many folders that fail, and tells of them at the end; at once where there are more. */
function passingOver(most: number): { passing: Passing; requireNone: () => void } {
  const failed = new Map<string, string>();
  const requireNone = () => {
    if (failed.size > 0)
      throw new Problem(
        `The backup is made, but not all that is old could be removed or looked into: ${[...failed.values()].join('; ')}.`,
      );
  };
  const passing: Passing = async (folder, work) => {
    try {
      return await work();
    } catch (error) {
      if (failed.size <= most) failed.set(folder, `${folder}: ${(error as Error).message}`);
      if (failed.size > most) requireNone();
      return undefined;
    }
  };
  return { passing, requireNone };
}

/** Whether no whole one of that day was there before; what was begun and not finished has looked into nothing. */
async function isFirstOfDay(
  place: BackupPlace,
  names: readonly string[],
  passing: Passing,
): Promise<boolean> {
  const day = dayOf(names.at(-1) ?? '');
  for (const name of names.slice(0, -1).toReversed()) {
    if (dayOf(name) !== day) break;
    if (await passing(name, () => isWhole(place, name))) return false;
  }
  return true;
}

/** Tells whole backups from broken ones, as far as it matters to what stays; those that fail are neither. */
async function lookInto(
  place: BackupPlace,
  names: readonly string[],
  retention: Retention,
  all: boolean,
  passing: Passing,
) {
  const looked = new Map<string, boolean | undefined>();
  let left = all ? names : [];
  for (;;) {
    await forEach(left, async (name) => looked.set(name, await passing(name, () => isComplete(place, name))));
    const whole = names.filter((name) => !looked.has(name) || looked.get(name));
    const { kept, counted } = choose(whole, retention);
    left = counted.filter((name) => !looked.has(name));
    if (left.length === 0) return { whole, kept, broken: names.filter((name) => looked.get(name) === false) };
  }
}

/** What stays, and of which of them it matters that they are whole: for their sake others go. */
function choose(whole: readonly string[], retention: Retention) {
  if ('newest' in retention) {
    const counted = whole.slice(-retention.newest);
    return { counted, kept: new Set(counted) };
  }
  const { days } = retention;
  const ofDays = [...Map.groupBy(whole, dayOf).values()].slice(-days).flatMap((ofDay) => ofDay.slice(-1));
  const counted = [...new Set([...ofDays, ...whole.slice(-Math.min(fewestKept, days))])];
  const newest = backupTime(whole.at(-1) ?? '');
  const ofLastDay = whole.filter((name) => newest - backupTime(name) <= dayMs);
  return { counted, kept: new Set([...counted, ...ofLastDay]) };
}

const isComplete = async (place: BackupPlace, name: string) =>
  (await isWhole(place, name)) && saysItsObjects(place, name);

const saysItsObjects = (place: BackupPlace, name: string) => place.has(`${name}/${files.objects}`);

/** First what makes it whole: what is removed by half counts as broken. */
async function remove(place: BackupPlace, name: string): Promise<void> {
  await place.removeFile(`${name}/${files.manifest}`);
  await place.removeFolder(name);
}

async function removeUnneededCopies(
  place: BackupPlace,
  names: readonly string[],
  made: string,
  passing: Passing,
) {
  const needed = new Set<string>();
  let isSure = true;
  await forEach(names, async (name) => {
    const said = await passing(name, () => copiesOf(place, name, made));
    if (!said) isSure = false;
    for (const copy of said ?? []) needed.add(copy);
  });
  if (isSure)
    await forEach(await orphanedCopies(place, needed), (copy) =>
      place.removeFile(`${objectsFolder}/${copy}`),
    );
}

/** Those that a backup needs, or nothing where it does not say so and may be whole, or become it. */
async function copiesOf(place: BackupPlace, name: string, made: string): Promise<string[] | undefined> {
  if (await saysItsObjects(place, name)) return objectNames(place, name);
  // It may be one that another clock is ahead of and that is being made; an older one is broken unless it is whole.
  return name > made || (await isWhole(place, name)) ? undefined : [];
}
