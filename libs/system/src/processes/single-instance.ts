import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readOwner, tryLock, unlock } from './lock.mjs';
import { isAlive } from './process-identity.mjs';
import { Problem } from '../problem.ts';
import { trackedProcesses } from './tracked-processes.ts';
import { endLeftovers, type RecordedProcess } from './process-groups.ts';

const lockFile = (folder: string) => join(folder, 'run.lock');
const listFile = (folder: string) => join(folder, 'run.json');

/**
 * Ensures that only one copy of a checkout runs, and ends processes that a crashed copy left running. Returns
 * a function that ends the claim.
 *
 * @throws Problem if another copy runs.
 */
export async function acquireSingleInstance(
  folder: string,
  say: (line: string) => void,
): Promise<() => void> {
  mkdirSync(folder, { recursive: true });
  const owner = tryLock(lockFile(folder));
  if (owner) throw alreadyRuns(owner.pid);
  const left = existsSync(listFile(folder)) ? readList(listFile(folder)) : [];
  const swept = await endLeftovers(left);
  if (swept.length > 0) say(`Ended processes that an earlier run had left running: ${swept.join(', ')}`);
  trackedProcesses().writeTo(listFile(folder));
  return () => {
    rmSync(listFile(folder), { force: true });
    unlock(lockFile(folder));
  };
}

/** @throws Problem of one sentence if a copy of this checkout runs. */
export function requireNoOtherInstance(folder: string): void {
  const owner = readOwner(lockFile(folder));
  if (owner && isAlive(owner)) throw alreadyRuns(owner.pid);
}

const alreadyRuns = (pid: number) =>
  new Problem(
    `Stoa already runs from this checkout (process ${pid}): use that one, or end it with Ctrl-C there or "kill ${pid}".`,
  );

function readList(file: string): RecordedProcess[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as RecordedProcess[];
  } catch {
    // The file is incomplete, because a crash interrupted its write. The watchdog had the same list.
    return [];
  }
}
