import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { type System, waitFor } from '@stoa/system';
import { root, stateFolder } from '@stoa/system/paths';
import { measureBackups } from './backups.ts';
import { benchmarkOf, benchmarks, type Benchmark, type Sites } from './benchmarks.ts';
import { measureLists } from './lists.ts';
import { fetchOnce, alternate, loadGenerator, median, type LoadResult } from './load.ts';
import { describeLoad, describeRun, copyOutputTo } from './raw-output.ts';
import { measureStarts } from './starts.ts';
import { fillSystem, signUpOwners, startEmpty } from './stoa.ts';
import { measureTelemetry } from './telemetry.ts';
import { measureFreshness, measureOverload, measureRelay } from './under-load.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { size: { type: 'string' }, seconds: { type: 'string' }, rounds: { type: 'string' } },
});
const size = Number(values.size ?? 100_000);
const seconds = Number(values.seconds ?? 8);
const rounds = Number(values.rounds ?? 3);
const chosen = benchmarks.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const wants = (name: string) => positionals.length === 0 || positionals.includes(name);

const number = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const spread = (turns: readonly LoadResult[]) => {
  const rates = turns.map(({ perSecond }) => perSecond);
  return `${number.format(median(rates))}/s (${number.format(Math.min(...rates))}–${number.format(Math.max(...rates))})`;
};
const p99 = (turns: readonly LoadResult[]) => median(turns.map((turn) => turn.p99));

const onOneSystem = ['lists', 'starts', 'relay', 'freshness', 'overload'];
const began = new Date();
const file = join(stateFolder, 'benchmarks', `${began.toISOString().slice(0, 19).replaceAll(':', '-')}.txt`);
copyOutputTo(file);
console.log(
  `${describeRun()}\n${number.format(size)} creators; ${rounds} turns of ${seconds} s each, by ${loadGenerator}.\n`,
);
try {
  if (chosen.length > 0 || onOneSystem.some(wants)) await measureSystem();
  // Runs only if named: filling a second system would extend the whole run beyond 20 minutes.
  if (positionals.includes('backups')) await measureBackups(size);
  if (wants('telemetry')) await measureTelemetry(seconds, rounds);
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
const minutes = ((Date.now() - began.getTime()) / 60_000).toFixed(1);
console.log(`\nThe run took ${minutes} minutes; ${describeLoad()}. Kept in ${relative(root, file)}.`);
process.exit();

/** Starts one filled system, and the direct program on the same database. */
async function measureSystem(): Promise<void> {
  const system = await startEmpty();
  try {
    if (wants('lists')) await measureLists(system, size);
    else await fillSystem(system, size);
    if (chosen.length > 0 || onOneSystem.some((name) => name !== 'lists' && wants(name)))
      await measureBesideTwin(system);
  } finally {
    await system.stop();
  }
}

async function measureBesideTwin(system: System): Promise<void> {
  const twinPort = system.ports.traces;
  const twin = spawn(
    process.execPath,
    ['--conditions=@stoa/source', new URL('twin.ts', import.meta.url).pathname],
    {
      env: { ...process.env, DATABASE_URL: system.postgres.urls.creators, PORT: String(twinPort) },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  for (const stream of [twin.stdout, twin.stderr]) stream.on('data', (text) => process.stderr.write(text));
  try {
    const direct = `http://127.0.0.1:${twinPort}`;
    await waitFor(async () => void (await fetch(`${direct}/api/creators`)), { timeout: 20_000 });
    const needsOwners = wants('freshness') || chosen.includes(benchmarkOf('edit'));
    const owners = needsOwners ? await signUpOwners(system) : [];
    const sites: Sites = { stoa: system.siteUrl, direct, size, owners };

    if (wants('freshness')) await measureFreshness(system, sites, benchmarkOf('edit'));
    if (chosen.length > 0)
      console.log(
        '\n| benchmark | direct | Stoa | ratio | aim | p99 direct, Stoa | aim | failed |\n|---|---|---|---|---|---|---|---|',
      );
    for (const benchmark of chosen) await measure(benchmark, sites);
    if (wants('relay')) await measureRelay(system);
    if (wants('overload')) await measureOverload(sites, seconds);
    if (wants('starts')) await measureStarts(system);
  } finally {
    const ended = once(twin, 'exit');
    twin.kill();
    await ended;
  }
}

async function measure(
  { name, title, goal, p99: p99Goal, connections, sides, warm }: Benchmark,
  sites: Sites,
): Promise<void> {
  await fetchOnce(sites.stoa, warm?.(sites) ?? []);
  const { stoa, direct } = await alternate(sides(sites), { connections, seconds, rounds });
  const ratio = median(stoa.map((turn, index) => turn.perSecond / (direct[index]?.perSecond ?? Number.NaN)));
  const failed = (turns: LoadResult[]) => turns.reduce((sum, turn) => sum + turn.failed, 0);
  // Refusals are faster than answers, so the ratio would be misleading.
  const shown = failed([...direct, ...stoa]) > 0 ? 'failed' : ratio.toFixed(2);
  const [directs, own] = [p99(direct), p99(stoa)];
  const most = p99Goal && ('ms' in p99Goal ? p99Goal.ms : p99Goal.timesDirect * directs);
  const latest = most === undefined ? '–' : `≤ ${most.toFixed(0)} ms${own <= most ? '' : ', missed'}`;
  console.log(
    `| \`${name}\`: ${title} | ${spread(direct)} | ${spread(stoa)} | **${shown}** | ${goal ?? '–'} | ${directs.toFixed(0)} ms, ${own.toFixed(0)} ms | ${latest} | ${failed(direct)}, ${failed(stoa)} |`,
  );
  for (const turn of [...direct, ...stoa])
    for (const [text, times] of turn.failures) console.error(`${name}: ${times} × ${text}`);
}
