import { existsSync } from 'node:fs';
import { answersHttp } from '../parts/answers.ts';
import { inRepository } from '../paths.ts';
import type { ProcessSpec } from '../processes/supervised.ts';
import { Problem } from '../problem.ts';
import { baseEnvironment } from '../settings/environment.ts';
import type { App } from '../settings/names.ts';
import { healthPort, type Ports } from '../settings/ports.ts';

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

/** How an app runs under the supervisor. */
export function appProcess(
  app: App,
  {
    environment,
    ports,
    onLine,
  }: { environment: Record<string, string>; ports: Ports; onLine?: (line: string) => void },
): ProcessSpec {
  return {
    name: app,
    command: process.execPath,
    args: ['--import', '@stoa/telemetry/register', inRepository('apps', app, 'dist/main.js')],
    cwd: inRepository('apps', app),
    // As in an image, without the compiled code of the last start: a process would hold 12 MB of it for as long as it lives.
    env: { ...baseEnvironment(), ...environment },
    // Longer than an app takes to drain.
    graceMs: 40_000,
    ready: () => answersHttp(`http://127.0.0.1:${healthPort(ports, app)}/health/ready`),
    ...(onLine && { onLine }),
  };
}
