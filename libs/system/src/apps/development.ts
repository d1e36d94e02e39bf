import { watch } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { acceptsConnections } from '../parts/answers.ts';
import { inRepository } from '../paths.ts';
import { CommandFailed, run } from '../processes/run.ts';
import type { ProcessSpec } from '../processes/supervised.ts';
import { baseEnvironment } from '../settings/environment.ts';
import { apps, services, type App } from '../settings/names.ts';
import type { Ports } from '../settings/ports.ts';

/** How `npm run dev` runs the apps. */
export interface Development {
  /** Apps that a debugger may attach to. */
  readonly inspected: readonly App[];
}

/** Where a debugger attaches to an app: Node's default port for the first that was named, the next port for each other. */
export const inspectPort = (app: App, { inspected }: Development): number => 9229 + inspected.indexOf(app);

/** Node's arguments for an app that restarts when a file changes that it has loaded. */
export function watchArguments(app: App, development: Development): string[] {
  const inspect = development.inspected.includes(app)
    ? [`--inspect=127.0.0.1:${inspectPort(app, development)}`]
    : [];
  return ['--watch', '--watch-preserve-output', ...inspect];
}

/** What to say of a line that Node's watch mode prints; undefined for every other line. */
export function restartMessage(app: App, line: string): string | undefined {
  const text = stripVTControlCharacters(line);
  if (text.startsWith('Restarting')) return `${app} restarts`;
  return text.startsWith('Failed running')
    ? `${app} ended, and starts again on a change; see its log`
    : undefined;
}

/** Whether a changed file, named from the root, takes effect with the next `npm run dev` alone. */
export const needsNewStart = (file: string): boolean =>
  /^(package-lock\.json$|apps\/web\/index\.html$|apps\/\w+\/prisma\/|deploy\/(?!keycloak\/themes\/))/.test(
    file,
  );

/**
 * Prints a line for the first such change in each folder, as after a pull. Nothing is applied: a migration that is still being
 * written may be applied once only.
 */
export function announceNewStart(say: (line: string) => void): void {
  const deep = ['deploy', ...services.map((service) => join('apps', service, 'prisma'))];
  for (const folder of ['', join('apps', 'web'), ...deep]) {
    let announced = false;
    watch(inRepository(folder), { recursive: deep.includes(folder) }, (_, name) => {
      const file = join(folder, name ?? '');
      if (announced || !needsNewStart(file)) return;
      announced = true;
      say(`${file} has changed: end npm run dev and start it again to apply that.`);
    });
  }
}

/** Vite, which has the site's origin: Keycloak and the object store answer no other one. */
export function webServer(ports: Ports, say: (line: string) => void): ProcessSpec {
  return {
    name: 'web',
    command: process.execPath,
    args: [inRepository('node_modules/.bin/vite')],
    cwd: inRepository('apps/web'),
    env: {
      ...baseEnvironment(),
      STOA_PORT: String(ports.site),
      STOA_GATEWAY_URL: `http://127.0.0.1:${ports.gateway}`,
    },
    ready: () => acceptsConnections(ports.site),
    onLine: (line) => {
      if (/error/i.test(line)) say(`web: ${stripVTControlCharacters(line)}`);
    },
  };
}

const typescript = [
  inRepository('node_modules/.bin/tsc'),
  '-b',
  ...apps.map((app) => inRepository('apps', app)),
];

/** Brings all up to date that the compiler below watches; TypeScript's errors are for the type check to report. */
export async function compile(): Promise<void> {
  try {
    await run(process.execPath, typescript, { cwd: inRepository() });
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
  }
}

/** Compiles a changed service, and whatever depends on a changed library. */
export function compiler(say: (line: string) => void): ProcessSpec {
  let compiled = false;
  return {
    name: 'compiler',
    command: process.execPath,
    args: [...typescript, '--watch', '--preserveWatchOutput', '--pretty', 'false'],
    cwd: inRepository(),
    env: baseEnvironment(),
    ready: () => Promise.resolve(compiled),
    readyWithinMs: 300_000,
    onLine: (line) => {
      if (/Found \d+ errors?/.test(line)) compiled = true;
      if (/error TS\d+/.test(line)) say(line);
    },
  };
}
