import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readOwner, tryLock, unlock } from './lock.mjs';
import { isAlive } from './process-identity.mjs';
import { Problem } from '../problem.ts';
import { trackedProcesses } from './tracked-processes.ts';
import { sweep, type KnownProcess } from './process-groups.ts';

const lockFile = (folder: string) => join(folder, 'run.lock');
const listFile = (folder: string) => join(folder, 'run.json');

/** Makes this the one running copy of a checkout, and ends what a copy that crashed has left behind. */
export async function acquireSingleInstance(
  folder: string,
  say: (line: string) => void,
): Promise<() => void> {
  mkdirSync(folder, { recursive: true });
  const owner = tryLock(lockFile(folder));
  if (owner) throw alreadyRuns(owner.pid);
  const left = existsSync(listFile(folder)) ? readList(listFile(folder)) : [];
  const swept = await sweep(left);
  if (swept.length > 0) say(`Ended what an earlier run had left behind: ${swept.join(', ')}`);
  trackedProcesses().writeTo(listFile(folder));
  return () => {
    rmSync(listFile(folder), { force: true });
    unlock(lockFile(folder));
  };
}

/** Throws one sentence while a copy of this checkout runs. */
export function requireNoOtherInstance(folder: string): void {
  const owner = readOwner(lockFile(folder));
  if (owner && isAlive(owner)) throw alreadyRuns(owner.pid);
}

const alreadyRuns = (pid: number) =>
  new Problem(
    `Stoa already runs from this checkout (process ${pid}): use that one, or end it with Ctrl-C there or "kill ${pid}".`,
  );

function readList(file: string): KnownProcess[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as KnownProcess[];
  } catch {
    // Cut off while it was written; the watchdog had the list too.
    return [];
  }
}
