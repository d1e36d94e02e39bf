import { expect } from '@playwright/test';
import { type App, inRepository } from '@stoa/system';
import { cacheFolder } from '@stoa/system/paths';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { theSystem } from './system.ts';

export interface Replica {
  readonly app: App;
  /** Whether a load balancer would send it anything. */
  isReady(): Promise<boolean>;
  /** Ends it as an orchestrator does, and answers its exit code. */
  stop(): Promise<number | null>;
  /** What it said last, but for the requests that it answered. */
  lastLines(): string;
}

const running = new Set<ChildProcess>();
// A hook that runs out of time never learns of the replica that it waited for.
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));
/** Of its log, in characters. */
const rememberedLog = 40_000;

/**
 * Starts one more process of an app beside the one that the system runs, with the same settings but these; `release` is
 * the folder of another release that is built there.
 */
export async function startReplica(
  app: App,
  healthPort: number,
  settings: Record<string, string>,
  release = inRepository(),
): Promise<Replica> {
  const child = spawn(process.execPath, ['--import', '@stoa/telemetry/register', 'dist/main.js'], {
    cwd: join(release, 'apps', app),
    env: {
      ...theSystem().environments[app],
      // As the supervisor starts them: with the compiled code of the last start.
      NODE_COMPILE_CACHE: join(cacheFolder, 'compiled'),
      HEALTH_PORT: String(healthPort),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let log = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (log = (log + text).slice(-rememberedLog)));
  const ended = once(child, 'exit') as Promise<[number | null]>;
  running.add(child);
  const isReady = () =>
    fetch(`http://127.0.0.1:${healthPort}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  const stop = async () => {
    child.kill('SIGTERM');
    const [code] = await ended;
    running.delete(child);
    return code;
  };
  try {
    await expect.poll(isReady, { timeout: 60_000 }).toBe(true);
  } catch (error) {
    await stop();
    throw error;
  }
  return { app, isReady, stop, lastLines: () => linesBesideRequests(log) };
}

const linesBesideRequests = (log: string) =>
  log
    .split('\n')
    .filter((line) => !line.includes('"answered"'))
    .slice(-20)
    .join('\n');
