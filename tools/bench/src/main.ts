import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { waitFor } from '@stoa/system';
import { benchmarkOf, benchmarks, listPaths, type Benchmark, type Sites } from './benchmarks.ts';
import { fetchOnce, alternate, median, type Turn } from './load.ts';
import { measureStarts } from './starts.ts';
import { signUpOwners, startFilled } from './stoa.ts';
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
/** Asked for each list, each time past the memory. */
const listRounds = 40;

const number = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const spread = (turns: readonly Turn[]) => {
  const rates = turns.map(({ perSecond }) => perSecond);
  return `${number.format(median(rates))}/s (${number.format(Math.min(...rates))}–${number.format(Math.max(...rates))})`;
};
const p99 = (turns: readonly Turn[]) => `${median(turns.map((turn) => turn.p99)).toFixed(0)} ms`;

const ofOneSystem = ['lists', 'starts', 'relay', 'freshness', 'overload'];
if (chosen.length > 0 || ofOneSystem.some(wants)) await measureSystem();
if (wants('telemetry')) await measureTelemetry(seconds, rounds);
process.exit(0);

/** One system filled, with the direct program beside it on the same database. */
async function measureSystem(): Promise<void> {
  const system = await startFilled(size);
  const twinPort = system.ports.traces;
  const twin = spawn(
    process.execPath,
    ['--conditions=@stoa/source', new URL('twin.ts', import.meta.url).pathname],
    {
      env: { ...process.env, DATABASE_URL: system.postgres.urls.creators, PORT: String(twinPort) },
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  try {
    const direct = `http://127.0.0.1:${twinPort}`;
    await waitFor(async () => void (await fetch(`${direct}/api/creators`)), { timeout: 20_000 });
    const needsOwners = wants('freshness') || chosen.includes(benchmarkOf('edit'));
    const owners = needsOwners ? await signUpOwners(system) : [];
    const sites: Sites = { stoa: system.siteUrl, direct, size, owners };

    console.log(
      `${cpus().length} cores, ${number.format(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node};`,
    );
    console.log(`${number.format(size)} creators; ${rounds} turns of ${seconds} s each.\n`);
    if (wants('freshness')) await measureFreshness(system, sites, benchmarkOf('edit'));
    console.log(
      '| benchmark | direct | Stoa | ratio | aim | p99 direct, Stoa | failed |\n|---|---|---|---|---|---|---|',
    );
    for (const benchmark of chosen) await measure(benchmark, sites);
    if (wants('lists')) await measureLists(sites);
    if (wants('relay')) await measureRelay(system);
    if (wants('overload')) await measureOverload(sites, benchmarkOf('profile-all'), seconds);
    if (wants('starts')) await measureStarts(system);
  } finally {
    const ended = once(twin, 'exit');
    twin.kill();
    await ended;
    await system.stop();
  }
}

async function measure(
  { name, asks, goal, connections, sides, warm }: Benchmark,
  sites: Sites,
): Promise<void> {
  await fetchOnce(sites.stoa, warm?.(sites) ?? []);
  const { stoa, direct } = await alternate(sides(sites), { connections, seconds, rounds });
  const ratio = median(stoa.map((turn, index) => turn.perSecond / (direct[index]?.perSecond ?? Number.NaN)));
  const failed = (turns: Turn[]) => turns.reduce((sum, turn) => sum + turn.failed, 0);
  // A refusal is faster than the work it spares.
  const shown = failed([...direct, ...stoa]) > 0 ? 'failed' : ratio.toFixed(2);
  console.log(
    `| \`${name}\`: ${asks} | ${spread(direct)} | ${spread(stoa)} | **${shown}** | ${goal ?? '–'} | ${p99(direct)}, ${p99(stoa)} | ${failed(direct)}, ${failed(stoa)} |`,
  );
  for (const turn of [...direct, ...stoa])
    for (const [said, times] of turn.failures) console.error(`${name}: ${times} × ${said}`);
}

/** Each list one request after the other, each time with another limit, which is another key of the memory. */
async function measureLists({ stoa }: Sites): Promise<void> {
  console.log('\n| list, nothing in memory | median | p95 | worst |\n|---|---|---|---|');
  for (const { name, path } of listPaths()) {
    const times: number[] = [];
    for (let round = 0; round < listRounds; round += 1) {
      const url = `${stoa}${path}${path.includes('?') ? '&' : '?'}limit=${11 + round}`;
      // Every limit is a key of its own, so that none is asked for twice.
      const began = performance.now();
      const answer = await fetch(url);
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
      times.push(performance.now() - began);
    }
    const sorted = times.toSorted((one, other) => one - other);
    const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1]?.toFixed(1);
    console.log(`| ${name} | ${at(0.5)} ms | ${at(0.95)} ms | ${at(1)} ms |`);
  }
}
