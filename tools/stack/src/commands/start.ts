import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { announceNewStart, type Development, inspectPort } from '@stoa/system/apps/development';
import { frozenAfterMs } from '@stoa/system/apps/app-process';
import { buildAll } from '@stoa/system/apps/build';
import { startSystemUnder } from '@stoa/system/apps/system';
import { requireSpace } from '@stoa/system/disk-space';
import { cachedPath } from '@stoa/system/fetch/cache';
import { pins } from '@stoa/system/fetch/pins';
import { startViewer, viewerEnvironment } from '@stoa/system/parts/trace-viewer';
import type { PartsHandles } from '@stoa/system/parts/start-parts';
import { cacheFolder, stateFolder } from '@stoa/system/paths';
import { explain } from '@stoa/system/problem';
import { endRunning } from '@stoa/system/processes/run';
import { acquireSingleInstance } from '@stoa/system/processes/single-instance';
import { stopRequested } from '@stoa/system/processes/stop-signal';
import { stopOrder } from '@stoa/system/processes/stop-order';
import { Supervisor } from '@stoa/system/processes/supervisor';
import { createReporter, type Reporter } from '@stoa/system/progress';
import { defaultPorts } from '@stoa/system/settings/ports';
import { serveControl } from '@stoa/system/testing/control-server';
import { describeDevelopment } from '@stoa/system/testing/development-system';
import { developmentEnvironment } from '@stoa/system/testing/test-environment';
import { seedOnce } from './seed.ts';

export interface StartOptions {
  verbose: boolean;
  seed: boolean;
  /** Also starts a viewer of traces. */
  observe: boolean;
  /** Restarts apps on a change, and serves the web app from its sources. */
  development?: Development;
}

/** Starts everything and runs until it gets a stop signal. */
export async function start({ verbose, seed, observe, development }: StartOptions): Promise<number> {
  const reporter = createReporter();
  const since = Date.now();
  const stopped = stopRequested();
  const release = await acquireSingleInstance(stateFolder, reporter.line);
  let forget: () => void = () => undefined;
  const supervisor = new Supervisor({ logs: join(stateFolder, 'logs'), say: reporter.line });
  try {
    const fetched = existsSync(cachedPath(`minio-v${pins.minio.version}`));
    await requireSpace(cacheFolder, fetched ? 0.2 : 4);
    await requireSpace(stateFolder, 0.5);
    const ports = defaultPorts();
    const built = buildAll(reporter);
    const watched = observe ? startViewer(ports, supervisor, reporter) : undefined;
    const elapsed = () => `${((Date.now() - since) / 1000).toFixed(1)} s`;
    const onServing = (parts: PartsHandles) => {
      reporter.line(
        `\nStoa serves its pages (after ${elapsed()}); logging in works once Keycloak is ready.\n`,
      );
      reporter.line(addresses(parts));
      if (development) reporter.line(developmentAddresses(parts.siteUrl, development));
      if (observe) reporter.line(`  Traces    http://localhost:${ports.traces}\n`);
    };
    const work = startSystemUnder({
      dir: stateFolder,
      ports,
      temporary: false,
      supervisor,
      reporter,
      built: Promise.all([built, watched]).then(() => undefined),
      verbose,
      onServing,
      development,
      // Does not kill unresponsive apps in development, because a debugger may suspend an app for any time.
      ...(!development && { unresponsiveMs: frozenAfterMs }),
      // Tests attach to the system of `npm run dev`.
      overrides: {
        ...(development && developmentEnvironment(ports)),
        ...(observe && viewerEnvironment(ports)),
      },
    });
    const running = await Promise.race([work, stopped]);
    if (typeof running === 'string') {
      work.catch(() => undefined);
      stopping(reporter, running);
      return 130;
    }
    if (development) {
      const { address: control } = await serveControl(running.control);
      announceNewStart(reporter.line);
      forget = describeDevelopment({ ...running.parts, control });
    }
    const samples = seed ? seedOnce(stateFolder, running.parts, reporter) : undefined;
    void reportReadiness(samples, elapsed, reporter.line);
    stopping(reporter, await stopped);
    endRunning();
    await running.stop();
    return 0;
  } catch (error) {
    reporter.line(explain(error));
    return 1;
  } finally {
    forget();
    endRunning();
    await supervisor.close(stopOrder);
    release();
  }
}

/** Reports when the samples are complete: until then pages fill up and counts change. */
export async function reportReadiness(
  samples: Promise<boolean> | undefined,
  elapsed: () => string,
  say: (line: string) => void,
): Promise<void> {
  if (samples) say(`Stoa runs (after ${elapsed()}), its samples come in. Ctrl-C ends it.`);
  if ((await samples) ?? true) say(`Stoa runs, all of it (after ${elapsed()}). Ctrl-C ends it.`);
}

function stopping(reporter: Reporter, reason: string): void {
  reporter.endTasks();
  reporter.line(`Stopping (${reason})…`);
}

function developmentAddresses(siteUrl: string, development: Development): string {
  const inspectors = development.inspected.map((app) => [
    'Inspect',
    `${app} at 127.0.0.1:${inspectPort(app, development)}`,
  ]);
  const rows = [['Screens', `${siteUrl}/dev/screens (of the Keycloak theme)`], ...inspectors];
  return rows.map(([name, value]) => `  ${name?.padEnd(10)}${value}`).join('\n');
}

function addresses({ siteUrl, mail, keycloak, minio }: PartsHandles): string {
  const rows = [
    ['Site', siteUrl],
    ['API', `${siteUrl}/api/docs`],
    ['Mail', mail.url.replace('127.0.0.1', 'localhost')],
    [
      'Keycloak',
      `${keycloak.url.replace('127.0.0.1', 'localhost')}/admin (deploy/keycloak/README.md describes how to get an account)`,
    ],
    ['Files', `${minio.publicEndpoint} (pictures and downloads)`],
    ['Logs', join(stateFolder, 'logs')],
  ];
  return rows.map(([name, value]) => `  ${name?.padEnd(10)}${value}`).join('\n');
}
