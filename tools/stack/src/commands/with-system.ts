import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildAll } from '@stoa/system/apps/build';
import { startSystem, type StartSystemOptions } from '@stoa/system/apps/start-system';
import { Problem } from '@stoa/system/problem';
import { endRunning } from '@stoa/system/processes/run';
import { stopRequested } from '@stoa/system/processes/stop-signal';
import { createReporter } from '@stoa/system/progress';
import { authorityFile } from '@stoa/system/settings/certificates';
import { inOwnMountNamespace, mountSmallDisks } from './small-disks.ts';

/** Gives each part with data a small disk of its own, for a command that fills them. */
export const smallDisks = '--small-disks';

/** The command `with-system` with its arguments. */
export async function runWithSystem(args: string[]): Promise<number> {
  const [first] = args;
  if (first?.startsWith('-') && first !== smallDisks)
    throw new Problem(`with-system does not know "${first}"; its one option is ${smallDisks}.`);
  if (first !== smallDisks) return withSystem(args);
  const dir = await mountSmallDisks();
  return dir ? withSystem(args.slice(1), { dir }) : inOwnMountNamespace(['with-system', ...args]);
}

/**
 * Runs a command against a system of its own; STOA_TEST_PARTS describes its parts. `observe` adds a trace
 * viewer, `replicated` a second process of each app, and `wired` test proxies between apps and parts.
 * `overrides` changes every app's environment, and `unresponsiveMs` kills frozen apps.
 */
export async function withSystem(
  [command, ...args]: string[],
  {
    dir,
    observe = false,
    replicated = false,
    wired = false,
    overrides,
    unresponsiveMs,
  }: Pick<
    StartSystemOptions,
    'dir' | 'observe' | 'replicated' | 'wired' | 'overrides' | 'unresponsiveMs'
  > = {},
): Promise<number> {
  if (!command)
    throw new Problem(
      'Name the command to run, for example: stoa with-system npm run accessibility -w @stoa/reports.',
    );
  const reporter = createReporter();
  const stopped = stopRequested();
  const work = prepare();
  const system = await Promise.race([work, stopped]);
  if (typeof system === 'string') {
    endRunning();
    return 130;
  }
  try {
    const file = join(system.dir, 'parts.json');
    writeFileSync(file, JSON.stringify(system), { mode: 0o600 });
    const child = spawn(command, args, {
      stdio: 'inherit',
      env: {
        ...process.env,
        STOA_TEST_PARTS: file,
        SITE_URL: system.siteUrl,
        ...(system.certificates && { NODE_EXTRA_CA_CERTS: authorityFile(system.certificates) }),
      },
    });
    const ended = once(child, 'exit').then(([code]) => (typeof code === 'number' ? code : 1));
    const code = await Promise.race([ended, stopped.then(() => 130)]);
    child.kill();
    return code;
  } finally {
    await system.stop();
  }

  async function prepare() {
    await buildAll(reporter);
    return startSystem({
      log: reporter.line,
      observe,
      replicated,
      wired,
      ...(dir && { dir }),
      ...(overrides && { overrides }),
      ...(unresponsiveMs !== undefined && { unresponsiveMs }),
    });
  }
}
