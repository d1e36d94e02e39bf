import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { stateFolder } from '@stoa/system/paths';
import { apps, partNames } from '@stoa/system/settings/names';
import { benchmarks } from './benchmarks.ts';
import { cpuTimes } from './cpu-time.ts';
import { fetchOnce, load } from './load.ts';
import { foldedStacks, selfTimes, startProfiler } from './profiler.ts';
import { signUpOwners, startFilled } from './stoa.ts';
import { prepareOverload } from './under-load.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { size: { type: 'string' }, seconds: { type: 'string' } },
});
const [app = 'gateway', ...names] = positionals;
const size = Number(values.size ?? 20_000);
const seconds = Number(values.seconds ?? 8);
const chosen = benchmarks.filter(({ name }) => names.length === 0 || names.includes(name));
if (!(apps as readonly string[]).includes(app))
  throw new Error(`There is no app ${app}: ${apps.join(', ')}.`);

/** Number of stacks in the stored summary of a path. */
const keptStacks = 60;
/** No process listens at this port until the app gets SIGUSR1. */
const inspectorPort = 19_229;
const system = await startFilled(size, { NODE_OPTIONS: `--inspect-port=127.0.0.1:${inspectorPort}` });
try {
  const owners = await signUpOwners(system);
  const sites = { stoa: system.siteUrl, direct: '', size, owners };
  const folder = join(stateFolder, 'profiles');
  mkdirSync(folder, { recursive: true });
  system.signal(app, 'SIGUSR1');

  /** Prints and stores a profile while `answer` runs; it resolves to the number of answered requests. */
  const profileWhile = async (name: string, answer: () => Promise<number>) => {
    console.log(`\n${name}`);
    const before = cpuTimes();
    const profiler = await startProfiler(inspectorPort);
    const requests = await answer();
    const profile = await profiler.stop();
    const after = cpuTimes();
    const file = join(folder, `${app}-${name}.cpuprofile`);
    writeFileSync(file, JSON.stringify(profile));
    writeFileSync(join(folder, `${app}-${name}.folded`), foldedStacks(profile, keptStacks));

    const spent = [...apps, ...partNames]
      .map((process): [string, number] => {
        const pid = system.pidOf(process) ?? 0;
        return [process, ((after.get(pid) ?? 0) - (before.get(pid) ?? 0)) / requests];
      })
      .filter(([, time]) => time > 0.001);
    console.log(
      `CPU ms for each: ${spent.map(([process, time]) => `${process} ${time.toFixed(3)}`).join(', ')}`,
    );
    for (const by of ['package', 'function'] as const)
      for (const [what, share] of selfTimes(profile, by).slice(0, by === 'package' ? 10 : 20))
        console.log(`${(share * 100).toFixed(1).padStart(6)} %  ${what}`);
    console.log(`Flame graph, for DevTools or speedscope: ${file}`);
  };

  for (const { name, connections, sides, warm } of chosen) {
    await fetchOnce(sites.stoa, warm?.(sites) ?? []);
    const { stoa } = sides(sites);
    // Compiles the code and opens the connections before the measurement.
    await load(stoa, connections, 2);
    await profileWhile(name, async () => {
      const turn = await load(stoa, connections, seconds);
      console.log(`${turn.perSecond.toFixed(0)}/s, ${turn.bytes.toFixed(0)} bytes each`);
      return turn.perSecond * seconds;
    });
  }
  if (names.includes('overload')) {
    await profileWhile('overload', await prepareOverload(sites, seconds));
  }
} finally {
  await system.stop();
}
process.exit(0);
