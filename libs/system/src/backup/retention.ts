import { Problem } from '../problem.ts';
import type { BackupPlace } from './backup-place.ts';
import { files, isWhole, namesIn, objectNames } from './backups.ts';
import { forEach } from './for-each.ts';
import { objectsFolder, orphanedCopies } from './object-copy.ts';
import { type Choice, choose, type Retention, type State } from './retention-policy.ts';

/** So many folders go in one run, which holds the lock of backups and has the deadline of a Job. */
const mostAtOnce = 50;
/** Where more of the backups than this would go, a wrong clock or a slip of the pen is likelier than a wish. */
const mostOfAll = 2 / 3;
/** So many folders that fail are passed over in one run; where more do, the place is away. */
const mostFailed = 5;

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
  const failures = new Failures();
  const names = all.filter((name) => name <= made);
  const { isFirstOfDay, whole, old, broken } = await lookInto(place, names, retention, failures);
  const isRefused = !removesMost && old.length > Math.max(mostAtOnce, whole.length * mostOfAll);
  const due = [...broken, ...(isRefused ? [] : old)];
  const gone = new Set<string>();
  for (const name of removesMost ? due : due.slice(0, mostAtOnce))
    await failures.passOver(name, async () => {
      // First what makes it whole: what is removed by half counts as broken.
      await place.removeFile(`${name}/${files.manifest}`);
      await place.removeFolder(name);
      gone.add(name);
    });
  // What a broken one has copied nobody has written down.
  const leavesCopies = 'newest' in retention ? gone.size > 0 : broken.some((name) => gone.has(name));
  if (isFirstOfDay || leavesCopies) {
    const left = all.filter((name) => !gone.has(name));
    await failures.passOver(objectsFolder, () => removeUnneededCopies(place, left, made, failures));
  }
  if (isRefused)
    throw new Problem(
      `The backup ${made} is made, but ${old.length} of the ${whole.length} backups would have to be removed, so none was: ` +
        'is the clock of this machine right, were there none for long, or is fewer kept than before? If they may go, say --remove-most once.',
    );
  failures.throwAny();
  return all.filter((name) => name > made);
}

/** Folders that fail: a few are passed over and told of at the end; where there are more, it ends at once. */
class Failures {
  readonly #told = new Map<string, string>();

  /** Answers nothing where `work` on the folder fails. */
  async passOver<T>(folder: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      // What ends it all has told of every folder.
      if (this.#told.size > mostFailed) throw error;
      this.#told.set(folder, `${folder}: ${(error as Error).message}`);
      if (this.#told.size > mostFailed) this.throwAny();
      return undefined;
    }
  }

  throwAny(): void {
    if (this.#told.size > 0)
      throw new Problem(
        `The backup is made, but not all that is old could be removed or looked into: ${[...this.#told.values()].join('; ')}.`,
      );
  }
}

/** Looks into as many as it takes until the choice holds. */
async function lookInto(
  place: BackupPlace,
  names: readonly string[],
  retention: Retention,
  failures: Failures,
): Promise<Choice> {
  const states = new Map<string, State>();
  for (;;) {
    const choice = choose(names, states, retention);
    if (choice.unsure.length === 0) return choice;
    await forEach(choice.unsure, async (name) => {
      const state = await failures.passOver(name, () => stateOf(place, name));
      states.set(name, state ?? 'failing');
    });
  }
}

const stateOf = async (place: BackupPlace, name: string): Promise<State> =>
  (await isWhole(place, name)) && (await saysItsObjects(place, name)) ? 'whole' : 'broken';

const saysItsObjects = (place: BackupPlace, name: string) => place.has(`${name}/${files.objects}`);

async function removeUnneededCopies(
  place: BackupPlace,
  names: readonly string[],
  made: string,
  failures: Failures,
) {
  const needed = new Set<string>();
  let isSure = true;
  await forEach(names, async (name) => {
    const said = await failures.passOver(name, () => copiesOf(place, name, made));
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
