import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { startTimeOf } from './process-identity.mjs';
import { diskFull } from '../problem.ts';
import { trackedProcesses } from './tracked-processes.ts';
import { signalGroup } from './process-groups.ts';

export interface RunOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  user?: { uid: number; gid: number };
  onLine?: (line: string) => void;
}

/** A command that could not be run or ended with an error, with its output. */
export class CommandFailed extends Error {
  readonly output: string;

  constructor(command: string, why: string, output: string) {
    super(`${command} ${why}${output ? `:\n${output}` : ''}`);
    this.output = output;
  }
}

const running = new Set<number>();

/**
 * Runs a command to its end and returns its output. The command ends if this process ends.
 *
 * @throws CommandFailed if it is missing or its exit code is not 0.
 */
export async function run(
  command: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<string> {
  const { cwd, env = process.env, user, onLine } = options;
  const child = spawn(command, args, {
    cwd,
    env,
    ...user,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      onLine?.(line);
    });
  }
  const { pid } = child;
  if (pid !== undefined) {
    trackedProcesses().add({ name: command, pid, startTime: startTimeOf(pid), stopSignal: 'SIGTERM' });
    running.add(pid);
  }
  try {
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    if (code === 0) return lines.join('\n');
    const output = lines.slice(-25).join('\n');
    throw (
      diskFull(undefined, output) ??
      new CommandFailed(command, `ended with ${signal ?? `exit code ${code}`}`, output)
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new CommandFailed(command, 'was not found', '');
    throw error;
  } finally {
    if (pid !== undefined) {
      running.delete(pid);
      trackedProcesses().drop(pid);
    }
  }
}

/** Ends all running commands after Ctrl-C during a fetch or a build. */
export function endRunning(): void {
  for (const pid of running) signalGroup(pid, 'SIGTERM');
}
