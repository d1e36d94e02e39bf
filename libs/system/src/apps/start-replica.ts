import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { answersHttp } from '../parts/answers.ts';
import { inRepository } from '../paths.ts';
import type { App } from '../settings/names.ts';
import { baseEnvironment } from '../settings/environment.ts';
import { waitFor } from '../testing/wait-for.ts';

export interface ReplicaOptions {
  /** The complete settings of the process. */
  readonly environment: Readonly<Record<string, string>>;
  readonly healthPort: number;
  /** The folder of the release that is built there; by default this repository. */
  readonly release?: string;
  /** Called with each chunk of the process's output. */
  readonly onText?: (text: string) => void;
}

/** A process of an app that runs outside the supervisor. */
export interface StartedReplica {
  /** Whether the process is ready, so that a load balancer would send it requests. */
  isReady(): Promise<boolean>;
  /** Stops the process as an orchestrator does. Returns its exit code, or null if a signal ended it. */
  stop(): Promise<number | null>;
}

const readyMs = 60_000;
const running = new Set<ChildProcess>();
// If the caller times out during the start, it has no handle to stop the replica. So the exit of this process
// ends the replica.
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/**
 * Starts one more process of an app, as the supervisor would, and waits until it is ready. It ends with this
 * process.
 *
 * @throws Error if it is not ready within a minute; it has been stopped by then.
 */
export async function startReplica(
  app: App,
  { environment, healthPort, release = inRepository(), onText }: ReplicaOptions,
): Promise<StartedReplica> {
  const child = spawn(process.execPath, ['--import', '@stoa/telemetry/register', 'dist/main.js'], {
    cwd: join(release, 'apps', app),
    env: {
      ...baseEnvironment(),
      ...environment,
      HEALTH_PORT: String(healthPort),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  child.stdout.setEncoding('utf8').on('data', (text: string) => onText?.(text));
  const ended = once(child, 'exit') as Promise<[number | null]>;
  const isReady = () => answersHttp(`http://127.0.0.1:${healthPort}/health/ready`).catch(() => false);
  const stop = async () => {
    child.kill('SIGTERM');
    const [code] = await ended;
    running.delete(child);
    return code;
  };
  try {
    await waitFor(
      async () => {
        if (!(await isReady())) throw new Error(`The replica of ${app} is not ready.`);
      },
      { timeout: readyMs },
    );
    return { isReady, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
