import { inRepository, run } from '@stoa/system';
import { buildAll } from '@stoa/system/apps/build';
import { cacheFolder } from '@stoa/system/paths';
import { Problem } from '@stoa/system/problem';
import { CommandFailed } from '@stoa/system/processes/run';
import { createReporter } from '@stoa/system/progress';
import { productionTimeouts } from '@stoa/system/testing/test-environment';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { scriptCommand } from './script.ts';
import { inOwnMounts, mountSmallDisks } from './small-disks.ts';
import { withSystem } from './with-system.ts';

/** Each app once, as `npm start` runs them; the drill has two of each otherwise, as production does. */
const single = '--single';

/** Also fills the disks of NATS, Postgres and the object store. */
const fullDisks = '--full-disks';

/** Also makes the wires from the apps to these three late, narrow, silent or half open: of one process at a time, or of all. */
const badWires = '--bad-wires';
const sharedWires = '--shared-wires';

const named = ['restore', 'faults', 'upgrade', 'outage', 'deletion'];

/** Runs a drill on a system of its own, never on anybody's data. */
export async function drill(given: string[]): Promise<number> {
  const isNamed = given[0] !== undefined && !given[0].startsWith('-');
  if (!isNamed)
    console.log(
      `Runs the drill of faults; the others are called ${named.filter((one) => one !== 'faults').join(', ')}.`,
    );
  const [name, ...args] = isNamed ? given : ['faults', ...given];
  if (name === 'restore') return withSystem([...scriptCommand('@stoa/e2e', 'restore-drill')]);
  if (name === 'upgrade') return drillUpgrade(args);
  if (name === 'deletion')
    return withSystem([...scriptCommand('@stoa/e2e', 'deletion-drill'), '--', ...args]);
  if (name === 'outage')
    return withSystem([...scriptCommand('@stoa/e2e', 'outage-drill'), '--', ...args], {
      overrides: productionTimeouts,
    });
  if (name === 'faults') {
    const dir = await mountSmallDisks();
    if (args.includes(fullDisks) && !dir) return inOwnMounts(['drill', name, ...args]);
    const passed = args.filter((arg) => arg !== single);
    return withSystem([...scriptCommand('@stoa/e2e', 'fault-drill'), '--', ...passed], {
      replicated: !args.includes(single),
      wired: wiresOf(args),
      overrides: productionTimeouts,
      ...(dir && { dir }),
    });
  }
  throw new Problem(`There is no drill "${name}", but ${named.map((one) => `drill ${one}`).join(', ')}.`);
}

function wiresOf(args: readonly string[]): 'each' | 'shared' | false {
  if (args.includes(sharedWires)) return 'shared';
  return args.includes(badWires) ? 'each' : false;
}

/** The former release starts its own parts with its own schema, and runs the drill of this one beside them. */
async function drillUpgrade(args: string[]): Promise<number> {
  const text = { type: 'string' } as const;
  const { from = 'HEAD~1', ...passed } = parseArgs({
    args,
    options: { from: text, rate: text, requests: text, seed: text },
  }).values;
  const release = await checkOut(from);
  await buildAll(createReporter());
  const own = [process.execPath, inRepository('apps/e2e/src/upgrade-drill/report.ts'), '--release', release];
  const others = Object.entries(passed).flatMap(([option, value]) => [`--${option}`, value]);
  const stoa = join(release, 'tools/stack/bin/stoa.mjs');
  try {
    await run(process.execPath, [stoa, 'with-system', ...own, ...others], {
      onLine: (line) => console.log(line),
    });
    return 0;
  } catch (error) {
    // What went wrong was told line by line.
    if (error instanceof CommandFailed) return 1;
    throw error;
  }
}

/** A clone at this commit in the cache, which keeps the last one: it is installed and built there, as everything is. */
async function checkOut(commit: string): Promise<string> {
  const git = (...args: string[]) => run('git', ['-C', inRepository(), ...args]);
  const id = await git('rev-parse', '--verify', `${commit}^{commit}`).catch((error: unknown) => {
    throw new Problem(`There is no commit ${commit} in this clone: name the former release by --from.`, {
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
