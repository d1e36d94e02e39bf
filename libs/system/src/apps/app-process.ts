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
 * Ends a start that would leave some of these out.
 *
 * @throws Problem which names the apps that are not built.
 */
export function requireBuilt(
  started: readonly App[],
  isBuilt = (app: App) => existsSync(inRepository('apps', app, 'dist/main.js')),
): void {
  const missing = started.filter((app) => !isBuilt(app));
  if (missing.length > 0) throw new Problem(`Not built: ${missing.join(', ')}. "npm run build" builds them.`);
}

/** Lets an app restart in half the time. */
const compiledCode = { NODE_COMPILE_CACHE: join(cacheFolder, 'compiled') };

/** How an app runs under the supervisor. */
export function appProcess(
  app: App,
  {
    environment,
    ports,
    development,
    onLine,
  }: {
    environment: Record<string, string>;
    ports: Ports;
    development?: Development | undefined;
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
    // As in an image, without the compiled code of the last start: a process would hold 12 MB of it for as long as it lives.
    env: { ...baseEnvironment(), ...environment, ...(development && compiledCode) },
    // Longer than an app takes to drain.
    graceMs: 40_000,
    ready: () => answersHttp(`http://127.0.0.1:${healthPort(ports, app)}/health/ready`),
    ...(onLine && { onLine }),
  };
}
