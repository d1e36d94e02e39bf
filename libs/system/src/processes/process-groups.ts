import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from './process-identity.mjs';

/** A started process, recorded for the process that may have to end it later. */
export interface RecordedProcess {
  name: string;
  pid: number;
  startTime: string | undefined;
  stopSignal: NodeJS.Signals;
}

/** Signals a whole process group; does nothing if it has ended. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  signalOne(-pid, signal);
}

/**
 * Signals a process and all its descendants, including those in other process groups, such as Postgres'
 * backends.
 */
export function signalTree(pid: number, signal: NodeJS.Signals): void {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const pairs = rows.map((row) => row.trim().split(/\s+/).map(Number));
  const tree = [pid];
  // `tree` grows during the loop by the children that it finds.
  for (const parent of tree)
    tree.push(...pairs.flatMap(([child, of]) => (of === parent && child ? [child] : [])));
  for (const one of tree) signalOne(one, signal);
}

function signalOne(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/**
 * Ends processes that an earlier run left running, unless their ids now belong to other processes. Returns
 * their names.
 */
export async function endLeftovers(left: readonly RecordedProcess[]): Promise<string[]> {
  const found = left.filter(isAlive);
  for (const known of found) signalGroup(known.pid, known.stopSignal);
  const deadline = Date.now() + 10_000;
  while (Date.now() < deadline && found.some(isAlive)) await sleep(50);
  for (const known of found.filter(isAlive)) signalGroup(known.pid, 'SIGKILL');
  return found.map(({ name }) => name);
}
