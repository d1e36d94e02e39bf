import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from './process-identity.mjs';

/** A started process as it is written down for whoever has to end it later. */
export interface KnownProcess {
  name: string;
  pid: number;
  startTime: string | undefined;
  stopSignal: NodeJS.Signals;
}

/** Signals a whole process group; one that is gone is fine. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
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
