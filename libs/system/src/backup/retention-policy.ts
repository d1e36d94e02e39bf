import { backupTime } from './backups.ts';

/**
 * Which backups stay: the newest ones, so many; or all of the last 24 hours and the last one of each of so many days, in UTC,
 * the newest that have one. A pause or a clock that jumps makes no day older.
 */
export type Retention = { readonly newest: number } | { readonly days: number };

/** What a look into a backup tells: it has all, it lacks something, or nothing can be told. */
export type State = 'whole' | 'broken' | 'failing';
type States = ReadonlyMap<string, State>;

/** Names of backups, oldest first; it holds once none is unsure. */
export type Choice = Record<'whole' | 'old' | 'broken' | 'unsure', string[]> & { isFirstOfDay: boolean };

const dayMs = 24 * 60 * 60_000;
/** No clock makes fewer stay than the newest ten, or one for each day where fewer days are kept. */
const fewestKept = 10;

const dayOf = (name: string) => name.slice(0, 'yyyy-mm-dd'.length);

/**
 * Chooses which of the backups up to the one just made go: the old ones, and those that are broken. What has no state yet is
 * taken for whole. All are to be looked into where no whole one was there before on its day.
 */
export function choose(names: readonly string[], states: States, retention: Retention): Choice {
  const whole = names.filter((name) => (states.get(name) ?? 'whole') === 'whole');
  const [made = '', newest = ''] = [names.at(-1), whole.at(-1)];
  const before = whole.findLast((name) => name < made && dayOf(name) === dayOf(made));
  const counted = new Set(countedOf(whole, retention));
  const matters = (name: string) => !before || name === before || counted.has(name);
  const isOfLastDay = (name: string) => backupTime(newest) - backupTime(name) <= dayMs;
  return {
    whole,
    old: whole.filter((name) => !counted.has(name) && ('newest' in retention || !isOfLastDay(name))),
    broken: names.filter((name) => states.get(name) === 'broken'),
    unsure: names.filter((name) => !states.has(name) && matters(name)),
    isFirstOfDay: !before,
  };
}

/** For the sake of which others go. */
function countedOf(whole: readonly string[], retention: Retention): readonly string[] {
  if ('newest' in retention) return whole.slice(-retention.newest);
  const days = [...Map.groupBy(whole, dayOf).values()].slice(-retention.days);
  return [...days.flatMap((ofDay) => ofDay.slice(-1)), ...whole.slice(-Math.min(fewestKept, retention.days))];
}
