import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface Bounds {
  /** Of the data of the process, in MiB. Node itself reserves about 600. */
  readonly memory: number;
  /** Work of a core, in seconds. It says something about the task, however busy the machine is. */
  readonly cpuSeconds: number;
  /** By the clock. */
  readonly milliseconds: number;
}

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';

/**
 * Starts the module at `worker`, named without its extension, in a process with these bounds and none of this one's
 * secrets and connections.
 */
export function startBounded(
  worker: URL,
  { memory, cpuSeconds }: Bounds,
  environment: Readonly<Record<string, string>> = {},
): ChildProcess {
  const module = `${fileURLToPath(worker)}.${extension}`;
  const node = [process.execPath, '--max-old-space-size=64', '--v8-pool-size=1', module];
  // Only Linux holds a process to such limits.
  const limits = `ulimit -d ${memory * 1024} && ulimit -t ${cpuSeconds} && exec "$@"`;
  const [command, ...args] = process.platform === 'linux' ? ['/bin/sh', '-c', limits, 'sh', ...node] : node;
  return spawn(command ?? process.execPath, args, {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    env: { ...environment, UV_THREADPOOL_SIZE: '1' },
    // A signal for the service's group is none for what it is still working on.
    detached: true,
  });
}
