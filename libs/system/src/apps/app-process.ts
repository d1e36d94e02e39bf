import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { answersHttp } from '../parts/answers.ts';
import { cacheFolder, inRepository } from '../paths.ts';
import type { ProcessSpec } from '../processes/supervised.ts';
import { Problem } from '../problem.ts';
import { baseEnvironment } from '../settings/environment.ts';
import type { App } from '../settings/names.ts';
import { healthPort, type Ports } from '../settings/ports.ts';
import { type Development, watchArguments } from './development.ts';

/**
 * Checks before a start that all given apps are built.
 *
 * @throws Problem that names the apps without a build.
 */
export function requireBuilt(
  started: readonly App[],
  isBuilt = (app: App) => existsSync(inRepository('apps', app, 'dist/main.js')),
): void {
  const missing = started.filter((app) => !isBuilt(app));
  if (missing.length > 0) throw new Problem(`Not built: ${missing.join(', ')}. "npm run build" builds them.`);
}

/** Node's compile cache halves the restart time of an app. */
const compiledCode = { NODE_COMPILE_CACHE: join(cacheFolder, 'compiled') };

/** Milliseconds without an answer after which an app is killed, as in k8s/base/app/deployment.yaml. */
export const frozenAfterMs = 5000;
const livenessMs = 1000;

/** The process of an app under the supervisor. */
export function appProcess(
  app: App,
  {
    environment,
    ports,
    development,
    unresponsiveMs,
    onLine,
  }: {
    environment: Record<string, string>;
    ports: Ports;
    development?: Development | undefined;
    /**
     * Milliseconds without an answer after which the process is killed. By default none is, because debuggers
     * and tests suspend processes.
     */
    unresponsiveMs?: number | undefined;
    onLine?: (line: string) => void;
  },
): ProcessSpec {
  return {
    name: app,
    command: process.execPath,
    args: [
      ...(development ? watchArguments(app, development) : []),
      '--import',
      '@stoa/telemetry/register',
      inRepository('apps', app, 'dist/main.js'),
    ],
    cwd: inRepository('apps', app),
    // Outside development, apps run without the compile cache, as in an image: the cache would occupy 12 MB
    // of the process for its lifetime.
    env: { ...baseEnvironment(), ...environment, ...(development && compiledCode) },
    // An app drains for less than 40 s after SIGTERM, so SIGKILL comes only after that.
    graceMs: 40_000,
    ready: () => answersHttp(`http://127.0.0.1:${healthPort(ports, app)}/health/ready`),
    ...(unresponsiveMs !== undefined && {
      liveness: {
        check: () => answersHttp(`http://127.0.0.1:${healthPort(ports, app)}/health/live`, livenessMs),
        withinMs: unresponsiveMs,
      },
    }),
    ...(onLine && { onLine }),
  };
}
