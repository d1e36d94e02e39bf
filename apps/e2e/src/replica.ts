import type { App } from '@stoa/system';
import { startReplica as startProcess, type StartedReplica } from '@stoa/system/apps/start-replica';
import { theSystem } from './system.ts';

export interface Replica extends StartedReplica {
  readonly app: App;
  /** What it said last, but for the requests that it answered. */
  lastLines(): string;
}

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
