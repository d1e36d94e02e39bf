import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { answersHttp } from '../parts/answers.ts';
import { inRepository } from '../paths.ts';
import type { App } from '../settings/names.ts';
import { baseEnvironment } from '../settings/environment.ts';
import { waitFor } from '../testing/wait-for.ts';

export interface ReplicaOptions {
  /** The whole of what it is told. */
  readonly environment: Readonly<Record<string, string>>;
  readonly healthPort: number;
  /** The folder of the release that is built there; that of this repository unless told. */
  readonly release?: string;
  /** Told what it says, as it comes. */
  readonly onText?: (text: string) => void;
}

/** A process of an app that no supervisor knows. */
export interface StartedReplica {
  /** Whether a load balancer would send it anything. */
  isReady(): Promise<boolean>;
  /** Ends it as an orchestrator does, and answers its exit code; null where a signal ended it. */
  stop(): Promise<number | null>;
}

const readyMs = 60_000;
const running = new Set<ChildProcess>();
// Whoever runs out of time never learns of the replica that was waited for.
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/**
 * Starts one more process of an app, as the supervisor starts them, and waits until it is ready. It ends with this process.
 *
 * @throws Error where it is not ready within a minute; it has ended then.
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
