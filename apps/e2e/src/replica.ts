import type { App } from '@stoa/system';
import { startReplica as startProcess, type StartedReplica } from '@stoa/system/apps/start-replica';
import { theSystem } from './system.ts';

export interface Replica extends StartedReplica {
  readonly app: App;
  /** The last log lines, except those about answered requests. */
  lastLines(): string;
}

/** Number of characters of the log that are kept. */
const rememberedLog = 40_000;

/**
 * Starts one more replica of an app, with the system's settings and `settings`. `release` is the folder of another built
 * release.
 */
export async function startReplica(
  app: App,
  healthPort: number,
  settings: Record<string, string>,
  release?: string,
): Promise<Replica> {
  let log = '';
  const started = await startProcess(app, {
    healthPort,
    environment: { ...theSystem().environments[app], ...settings },
    ...(release !== undefined && { release }),
    onText: (text) => void (log = (log + text).slice(-rememberedLog)),
  });
  return { app, ...started, lastLines: () => linesBesideRequests(log) };
}

const linesBesideRequests = (log: string) =>
  log
    .split('\n')
    .filter((line) => !line.includes('"answered"'))
    .slice(-20)
    .join('\n');
