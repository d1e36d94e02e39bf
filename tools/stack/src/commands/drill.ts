import { frozenAfterMs, inRepository, run } from '@stoa/system';
import { buildAll } from '@stoa/system/apps/build';
import { cacheFolder } from '@stoa/system/paths';
import { Problem } from '@stoa/system/problem';
import { CommandFailed } from '@stoa/system/processes/run';
import { createReporter } from '@stoa/system/progress';
import { productionTimeouts } from '@stoa/system/testing/test-environment';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { latestRelease } from './release.ts';
import { script, scriptCommand } from './script.ts';
import { inOwnMountNamespace, mountSmallDisks } from './small-disks.ts';
import { withSystem } from './with-system.ts';

/** Runs each app once, as `npm start` does. By default the drill runs two of each, as in production. */
const single = '--single';

/** Also fills the disks of NATS, Postgres and the object store. */
const fullDisks = '--full-disks';

/**
 * Also delays, throttles or blocks connections from apps to these three parts: for one process at a time, or
 * for all.
 */
const badWires = '--bad-wires';
const sharedWires = '--shared-wires';

const named = ['restore', 'faults', 'upgrade', 'outage', 'deletion', 'keycloak'];

/** Runs a drill on a system of its own with its own data. */
export async function drill(given: string[]): Promise<number> {
  const isNamed = given[0] !== undefined && !given[0].startsWith('-');
  if (!isNamed)
    console.log(
      `Runs the fault drill; the other drills are ${named.filter((one) => one !== 'faults').join(', ')}.`,
    );
  const [name, ...args] = isNamed ? given : ['faults', ...given];
  if (name === 'restore') return withSystem([...scriptCommand('@stoa/drills', 'restore-drill')]);
  if (name === 'upgrade') return drillUpgrade(args);
  if (name === 'deletion')
    return withSystem([...scriptCommand('@stoa/drills', 'deletion-drill'), '--', ...args]);
  if (name === 'keycloak') return script('@stoa/identity', 'keycloak-drill', args);
  if (name === 'outage')
    return withSystem([...scriptCommand('@stoa/drills', 'outage-drill'), '--', ...args], {
      overrides: productionTimeouts,
    });
  if (name === 'faults') {
    const dir = await mountSmallDisks();
    if (args.includes(fullDisks) && !dir) return inOwnMountNamespace(['drill', name, ...args]);
    const passed = args.filter((arg) => arg !== single);
    return withSystem([...scriptCommand('@stoa/drills', 'fault-drill'), '--', ...passed], {
      replicated: !args.includes(single),
      wired: wiresOf(args),
      overrides: productionTimeouts,
      unresponsiveMs: frozenAfterMs,
      ...(dir && { dir }),
    });
  }
  throw new Problem(`There is no drill "${name}", but ${named.map((one) => `drill ${one}`).join(', ')}.`);
}

function wiresOf(args: readonly string[]): 'each' | 'shared' | false {
  if (args.includes(sharedWires)) return 'shared';
  return args.includes(badWires) ? 'each' : false;
}

/** The former release starts its own parts with its own schema; this release's drill uses them. */
async function drillUpgrade(args: string[]): Promise<number> {
  const text = { type: 'string' } as const;
  const { from = await latestRelease(), ...passed } = parseArgs({
    args,
    options: { from: text, rate: text, requests: text, seed: text },
  }).values;
  if (from === undefined)
    throw new Problem(
      'The drill starts from a release, and none is tagged: it needs the tag v1.0.0. Name a later commit with --from.',
    );
  const release = await checkOut(from);
  await buildAll(createReporter());
  const own = [
    process.execPath,
    inRepository('tools/drills/src/upgrade-drill/report.ts'),
    '--release',
    release,
  ];
  const others = Object.entries(passed).flatMap(([option, value]) => [`--${option}`, value]);
  const stoa = join(release, 'tools/stack/bin/stoa.mjs');
  try {
    await run(process.execPath, [stoa, 'with-system', ...own, ...others], {
      onLine: (line) => console.log(line),
    });
    return 0;
  } catch (error) {
    // Returns without a message, because the failed command has already printed its errors.
    if (error instanceof CommandFailed) return 1;
    throw error;
  }
}

/** A clone at this commit in the cache, which keeps only the latest. Packages and builds are there too. */
async function checkOut(commit: string): Promise<string> {
  const git = (...args: string[]) => run('git', ['-C', inRepository(), ...args]);
  const id = await git('rev-parse', '--verify', `${commit}^{commit}`).catch((error: unknown) => {
    throw new Problem(`There is no commit ${commit} in this clone: name the former release with --from.`, {
      cause: error,
    });
  });
  const releases = join(cacheFolder, 'releases');
  const release = join(releases, id.trim());
  for (const other of existsSync(releases) ? readdirSync(releases) : [])
    if (join(releases, other) !== release) rmSync(join(releases, other), { recursive: true });
  if (!existsSync(release)) await git('clone', '--quiet', '--no-checkout', inRepository(), release);
  await run('git', ['-C', release, 'checkout', '--quiet', '--force', '--detach', id.trim()]);
  return release;
}
