import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface Bounds {
  /** Limit of the process's data segment in MiB. Node itself reserves about 600. */
  readonly memory: number;
  /** CPU seconds, which measure the task independently of the machine's load. */
  readonly cpuSeconds: number;
  /** Wall-clock time. */
  readonly milliseconds: number;
}

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';

/**
 * Starts the module at `worker`, named without its extension, in a process with these bounds. The process
 * inherits none of this one's secrets and connections.
 */
export function startBounded(
  worker: URL,
  { memory, cpuSeconds }: Bounds,
  environment: Readonly<Record<string, string>> = {},
): ChildProcess {
  const module = `${fileURLToPath(worker)}.${extension}`;
  const node = [process.execPath, '--max-old-space-size=64', '--v8-pool-size=1', module];
  // Only Linux enforces these limits.
  const limits = `ulimit -d ${memory * 1024} && ulimit -t ${cpuSeconds} && exec "$@"`;
  const [command, ...args] = process.platform === 'linux' ? ['/bin/sh', '-c', limits, 'sh', ...node] : node;
  return spawn(command ?? process.execPath, args, {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    env: { ...environment, UV_THREADPOOL_SIZE: '1' },
    // A signal to the service's process group must not end running work.
    detached: true,
  });
}
