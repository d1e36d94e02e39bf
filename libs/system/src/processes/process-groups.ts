import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from './process-identity.mjs';

/** A started process as it is written down for the process that ends it later. */
export interface KnownProcess {
  name: string;
  pid: number;
  startTime: string | undefined;
  stopSignal: NodeJS.Signals;
}

/** Signals a whole process group; one that is gone is fine. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  signalOne(-pid, signal);
}

/** Signals a process and all that it has started, also those that left its group, as Postgres' own do. */
export function signalTree(pid: number, signal: NodeJS.Signals): void {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const pairs = rows.map((row) => row.trim().split(/\s+/).map(Number));
  const tree = [pid];
  // It grows while it is walked.
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

/** Ends processes that an earlier run left behind, if they still are the same ones. */
export async function sweep(left: readonly KnownProcess[]): Promise<string[]> {
  const found = left.filter(isAlive);
  for (const known of found) signalGroup(known.pid, known.stopSignal);
  const deadline = Date.now() + 10_000;
  while (Date.now() < deadline && found.some(isAlive)) await sleep(50);
  for (const known of found.filter(isAlive)) signalGroup(known.pid, 'SIGKILL');
  return found.map(({ name }) => name);
}
