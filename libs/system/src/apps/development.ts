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
  /** Apps that open a debugger port. */
  readonly inspected: readonly App[];
}

/**
 * The debugger port of an app: Node's default port for the first named app, and the following ports for the
 * others.
 */
export const inspectPort = (app: App, { inspected }: Development): number => 9229 + inspected.indexOf(app);

/** Node's arguments for an app that restarts when a loaded file changes. */
export function watchArguments(app: App, development: Development): string[] {
  const inspect = development.inspected.includes(app)
    ? [`--inspect=127.0.0.1:${inspectPort(app, development)}`]
    : [];
  return ['--watch', '--watch-preserve-output', ...inspect];
}

/** The message for a line that Node's watch mode prints; undefined for every other line. */
export function restartMessage(app: App, line: string): string | undefined {
  const text = stripVTControlCharacters(line);
  if (text.startsWith('Restarting')) return `${app} restarts`;
  return text.startsWith('Failed running')
    ? `${app} ended, and starts again on a change; see its log`
    : undefined;
}

/** Whether a changed file, given relative to the root, takes effect only with the next `npm run dev`. */
export const needsNewStart = (file: string): boolean =>
  /^(package-lock\.json$|apps\/web\/index\.html$|apps\/\w+\/prisma\/|deploy\/(?!keycloak\/themes\/))/.test(
    file,
  );

/**
 * Prints a line for the first change in each folder that needs a restart of dev, for instance after a pull.
 * It applies nothing: an unfinished migration must not be applied, since each is applied only once.
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

/** Vite on the site's origin: Keycloak and the object store accept only that origin. */
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
  inRepository('node_modules/typescript-native/bin/tsc'),
  '-b',
  ...apps.map((app) => inRepository('apps', app)),
];

/**
 * Compiles all workspaces that `compiler` watches. It ignores TypeScript errors, which the type check
 * reports.
 */
export async function compile(): Promise<void> {
  try {
    await run(process.execPath, typescript, { cwd: inRepository() });
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
  }
}

/** Compiles a changed service, and everything that depends on a changed library. */
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
