import { backupTime } from './backups.ts';

/**
 * The backups that stay: the newest ones by number, or all of the last 24 hours and the last one of each of
 * the given number of days. Days are UTC days with a backup, so a pause or a wrong clock removes none.
 */
export type Retention = { readonly newest: number } | { readonly days: number };

/** The state of a checked backup: it has all files, it lacks some, or its folder cannot be read. */
export type State = 'complete' | 'broken' | 'unreadable';
type States = ReadonlyMap<string, State>;

/** Names of backups, oldest first. The choice is final when none is `unchecked`. */
export type RetentionChoice = Record<'complete' | 'old' | 'broken' | 'unchecked', string[]> & {
  isFirstOfDay: boolean;
};

const dayMs = 24 * 60 * 60_000;
/**
 * With daily retention at least the newest ten stay, or one per day if fewer days are kept: protects against
 * wrong clocks.
 */
const fewestKept = 10;

const dayOf = (name: string) => name.slice(0, 'yyyy-mm-dd'.length);

/**
 * Chooses which of the backups up to the one just made are removed: old and broken ones. A backup without a
 * state counts as complete. All are checked if the day had no complete backup before.
 */
export function chooseBackups(
  names: readonly string[],
  states: States,
  retention: Retention,
): RetentionChoice {
  const complete = names.filter((name) => (states.get(name) ?? 'complete') === 'complete');
  const [made = '', newest = ''] = [names.at(-1), complete.at(-1)];
  const before = complete.findLast((name) => name < made && dayOf(name) === dayOf(made));
  const counted = new Set(countedOf(complete, retention));
  const matters = (name: string) => !before || name === before || counted.has(name);
  const isOfLastDay = (name: string) => backupTime(newest) - backupTime(name) <= dayMs;
  return {
    complete,
    old: complete.filter((name) => !counted.has(name) && ('newest' in retention || !isOfLastDay(name))),
    broken: names.filter((name) => states.get(name) === 'broken'),
    unchecked: names.filter((name) => !states.has(name) && matters(name)),
    isFirstOfDay: !before,
  };
}

/** The backups that the retention rule keeps. */
function countedOf(complete: readonly string[], retention: Retention): readonly string[] {
  if ('newest' in retention) return complete.slice(-retention.newest);
  const days = [...Map.groupBy(complete, dayOf).values()].slice(-retention.days);
  return [
    ...days.flatMap((ofDay) => ofDay.slice(-1)),
    ...complete.slice(-Math.min(fewestKept, retention.days)),
  ];
}
