import { Problem } from '../problem.ts';
import type { BackupPlace } from './backup-place.ts';
import { backupFiles, isComplete, backupNamesIn, objectNames } from './backups.ts';
import { forEachConcurrently } from './for-each-concurrently.ts';
import { objectsFolder, orphanedCopies } from './object-copy.ts';
import { type RetentionChoice, chooseBackups, type Retention, type State } from './retention-policy.ts';

/**
 * Most folders that one run removes. A run holds the backup lock and must end before the deadline of its
 * Kubernetes Job.
 */
const mostAtOnce = 50;
/**
 * Largest share of the backups that one run removes. If more are due, a wrong clock or a typing error is
 * likely.
 */
const mostOfAll = 2 / 3;
/**
 * Most unreadable folders that one run skips. If more are unreadable, the backup place itself is unavailable.
 */
const mostFailed = 5;

/**
 * Removes backups that the retention rule does not keep, incomplete backups, and object copies that no backup
 * needs. One run removes at most fifty backups and skips a few unreadable folders. It checks the backups that
 * the rule counts; the first run of a day checks all, and only then or after a removal are unneeded copies
 * removed.
 *
 * @param made A complete backup; newer ones are not touched.
 * @param removesMost Lifts both limits on the number of removed backups.
 * @returns The backups with a later time than `made`, oldest first.
 * @throws Problem if more than two thirds (and fifty) would go without `removesMost`, or the place does not
 * list `made`. No old backup is removed then. Also, after the removals, if folders were unreadable.
 */
export async function removeOldBackups(
  place: BackupPlace,
  made: string,
  retention: Retention,
  removesMost = false,
): Promise<string[]> {
  const all = await backupNamesIn(place);
  if (!all.includes(made))
    throw new Problem(`${place.address} does not list the new backup ${made}, so no old backup was removed.`);
  const failures = new Failures();
  const names = all.filter((name) => name <= made);
  const { isFirstOfDay, complete, old, broken } = await checkBackups(place, names, retention, failures);
  const isRefused = !removesMost && old.length > Math.max(mostAtOnce, complete.length * mostOfAll);
  const due = [...broken, ...(isRefused ? [] : old)];
  const gone = new Set<string>();
  for (const name of removesMost ? due : due.slice(0, mostAtOnce))
    await failures.skipOnError(name, async () => {
      // Removes the manifest first, so that a partly removed backup counts as broken in the next run.
      await place.removeFile(`${name}/${backupFiles.manifest}`);
      await place.removeFolder(name);
      gone.add(name);
    });
  // Copies of a broken backup may be unneeded now, although its list of copies may be missing.
  const leavesCopies = 'newest' in retention ? gone.size > 0 : broken.some((name) => gone.has(name));
  if (isFirstOfDay || leavesCopies) {
    const left = all.filter((name) => !gone.has(name));
    await failures.skipOnError(objectsFolder, () => removeUnneededCopies(place, left, made, failures));
  }
  if (isRefused)
    throw new Problem(
      `The backup ${made} is made, but ${old.length} of the ${complete.length} backups are due for removal. This exceeds the limit, so no old backup was removed. ` +
        'Check the clock of this machine, the time since the previous backup and the retention setting. To remove them, run once with --remove-most.',
    );
  failures.throwAny();
  return all.filter((name) => name > made);
}

/**
 * Collects the errors of unreadable folders. Up to five folders are skipped and reported at the end; one more
 * ends the run.
 */
class Failures {
  readonly #reported = new Map<string, string>();

  /** Returns undefined if `work` on the folder fails. */
  async skipOnError<T>(folder: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      // Work that still runs fails too; the error that ended the run already names every folder.
      if (this.#reported.size > mostFailed) throw error;
      this.#reported.set(folder, `${folder}: ${(error as Error).message}`);
      if (this.#reported.size > mostFailed) this.throwAny();
      return undefined;
    }
  }

  throwAny(): void {
    if (this.#reported.size > 0)
      throw new Problem(
        `The backup is made, but some old backups could not be removed or checked: ${[...this.#reported.values()].join('; ')}.`,
      );
  }
}

/** Checks backups until no backup that the retention rule counts is unchecked. */
async function checkBackups(
  place: BackupPlace,
  names: readonly string[],
  retention: Retention,
  failures: Failures,
): Promise<RetentionChoice> {
  const states = new Map<string, State>();
  for (;;) {
    const choice = chooseBackups(names, states, retention);
    if (choice.unchecked.length === 0) return choice;
    await forEachConcurrently(choice.unchecked, async (name) => {
      const state = await failures.skipOnError(name, () => stateOf(place, name));
      states.set(name, state ?? 'unreadable');
    });
  }
}

const stateOf = async (place: BackupPlace, name: string): Promise<State> =>
  (await isComplete(place, name)) && (await listsItsObjects(place, name)) ? 'complete' : 'broken';

const listsItsObjects = (place: BackupPlace, name: string) => place.has(`${name}/${backupFiles.objects}`);

async function removeUnneededCopies(
  place: BackupPlace,
  names: readonly string[],
  made: string,
  failures: Failures,
) {
  const needed = new Set<string>();
  let isSure = true;
  await forEachConcurrently(names, async (name) => {
    const copies = await failures.skipOnError(name, () => copiesOf(place, name, made));
    if (!copies) isSure = false;
    for (const copy of copies ?? []) needed.add(copy);
  });
  if (isSure)
    await forEachConcurrently(await orphanedCopies(place, needed), (copy) =>
      place.removeFile(`${objectsFolder}/${copy}`),
    );
}

/**
 * The names of the object copies that a backup needs. Undefined if the backup has no list of copies, but is
 * complete or may still be running.
 */
async function copiesOf(place: BackupPlace, name: string, made: string): Promise<string[] | undefined> {
  if (await listsItsObjects(place, name)) return objectNames(place, name);
  // A newer name may belong to a running backup on a machine whose clock is ahead. An older one without a
  // manifest is broken.
  return name > made || (await isComplete(place, name)) ? undefined : [];
}
