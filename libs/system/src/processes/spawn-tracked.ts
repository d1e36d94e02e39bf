import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { startTimeOf } from './process-identity.mjs';
import { signalGroup } from './process-groups.ts';
import { trackedProcesses } from './tracked-processes.ts';

/** A started process. */
export interface Spawned {
  readonly child: ChildProcess;
  /** What the process writes to file descriptor 3. */
  readonly said: Readable;
  readonly stop: () => void;
}

/** Starts a process. It and its descendants end when this process ends, even after a crash. */
export function spawnTracked(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Spawned {
  const child = spawn(command, args, { env, detached: true, stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${command} could not be started.`);
  trackedProcesses().add({ name: command, pid, startTime: startTimeOf(pid), stopSignal: 'SIGTERM' });
  const stop = () => {
    signalGroup(pid, 'SIGTERM');
    trackedProcesses().drop(pid);
  };
  return { child, said: child.stdio[3] as Readable, stop };
}
