import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface Bounds {
  /** Memory limit of the process in MiB. Node itself reserves about 600. */
  readonly memory: number;
  /** CPU time limit in seconds. It does not depend on other load of the machine. */
  readonly cpuSeconds: number;
  /** Limit of the elapsed time, also while the process waits. */
  readonly milliseconds: number;
}

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';

/**
 * Starts a module in a process with these limits. Secrets and connections are not passed on to it. `worker`
 * is the module's URL without extension.
 */
export function startBounded(
  worker: URL,
  { memory, cpuSeconds }: Bounds,
  environment: Readonly<Record<string, string>> = {},
): ChildProcess {
  const module = `${fileURLToPath(worker)}.${extension}`;
  const node = [process.execPath, '--max-old-space-size=64', '--v8-pool-size=1', module];
  // Only Linux enforces `ulimit` for memory and CPU time.
  const limits = `ulimit -d ${memory * 1024} && ulimit -t ${cpuSeconds} && exec "$@"`;
  const [command, ...args] = process.platform === 'linux' ? ['/bin/sh', '-c', limits, 'sh', ...node] : node;
  return spawn(command ?? process.execPath, args, {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    env: { ...environment, UV_THREADPOOL_SIZE: '1' },
    // Its own process group: a signal to the service must not end work in progress.
    detached: true,
  });
}
