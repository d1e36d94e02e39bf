import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { creators } from '@stoa/contracts';
import { type System, waitFor, withClient } from '@stoa/system';
import { type Benchmark, benchmarkOf, type Sites } from './benchmarks.ts';
import { quantile } from './load.ts';
import { type Outcome, sendOpenLoop } from './open-loop.ts';
import { startSecondGateway } from './stoa.ts';

const relayedEvents = 20_000;
const edits = 200;
const often = { interval: 2, timeout: 60_000 };
/** The number of concurrent requests with the highest throughput. */
const peakSockets = 256;
/** More connections than the gateway queues, processes and refuses, so that they never limit the load. */
const openSockets = 8000;

/** Prints how fast one service's recorded events reach the stream. */
export async function measureRelay({ postgres }: System): Promise<void> {
  const ms = await withClient(postgres.urls.creators, async (client) => {
    const waiting = async () => {
      const { rows } = await client.query<{ count: number }>('SELECT count(*)::int AS count FROM outbox');
      return rows[0]?.count ?? 0;
    };
    const facts = { uid: randomUUID(), offeringCount: 0 };
    // Measures from the commit of this statement, at which the relay is notified.
    await client.query(
      `WITH recorded AS (
         INSERT INTO outbox (event_id, subject, payload, headers)
         SELECT gen_random_uuid(), $1, $2::jsonb, '{}'::jsonb FROM generate_series(1, $3) RETURNING 1)
       SELECT pg_notify('outbox', '') FROM recorded LIMIT 1`,
      [creators.counted.subject, JSON.stringify(facts), relayedEvents],
    );
    const began = performance.now();
    await waitFor(async () => {
      if ((await waiting()) > 0) throw new Error('The outbox is not empty.');
    }, often);
    return performance.now() - began;
  });
  const rate = Math.round((relayedEvents / ms) * 1000).toLocaleString('en');
  console.log(
    `\nRelay: ${relayedEvents.toLocaleString('en')} events in ${(ms / 1000).toFixed(1)} s, ${rate}/s`,
  );
}

/** Prints the time from the acknowledgement of an owner's edit until visitors see it. */
export async function measureFreshness(system: System, sites: Sites, edit: Benchmark): Promise<void> {
  const second = await startSecondGateway(system);
  try {
    console.log(`\nFreshness (aim at most 250 ms at p99):`);
    await measureFreshnessAt(sites.stoa, sites, edit, 'the gateway that wrote');
    await measureFreshnessAt(second.url, sites, edit, 'another gateway');
  } finally {
    await second.stop();
  }
}

async function measureFreshnessAt(gateway: string, { stoa, owners }: Sites, edit: Benchmark, where: string) {
  const [owner] = owners;
  if (!owner) throw new Error('No owner has a token.');
  const nameOf = async (answering: Promise<Response>): Promise<string> => {
    const { displayName } = (await (await answering).json()) as { displayName: string };
    return displayName;
  };
  const shown = () => nameOf(fetch(`${gateway}/api/creators/${owner.username}`));
  const headers = { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' };
  const { next } = edit.sides({ stoa, direct: stoa, size: 0, owners: [owner] }).stoa;
  const times: number[] = [];
  for (let count = 0; count < edits; count += 1) {
    // A contact method makes the profile public.
    const changed = {
      ...JSON.parse(String(next().body)),
      contactBy: 'form',
      displayName: `${where} ${count}`,
    };
    const body = JSON.stringify(changed);
    const saved = await nameOf(fetch(`${stoa}/api/me/profile`, { method: 'PUT', headers, body }));
    const began = performance.now();
    await waitFor(async () => {
      if ((await shown()) !== saved) throw new Error('The change is not visible.');
    }, often);
    times.push(performance.now() - began);
  }
  console.log(`- at ${where}: ${edits} edits, visible after ${summary(times)}`);
}

/** Prints the result of an open-loop load of twice the peak throughput. */
export async function measureOverload(sites: Sites, seconds: number): Promise<void> {
  const overload = await prepareOverload(sites, seconds);
  await overload();
}

/**
 * Measures the peak throughput. Returns a function that sends twice that rate for twice `seconds`, prints the
 * result, and returns the number of successful answers.
 */
export async function prepareOverload(sites: Sites, seconds: number): Promise<() => Promise<number>> {
  const { stoa } = benchmarkOf('profile-all').sides(sites);
  const load = { url: stoa.url, path: () => String(stoa.next().path), seconds };
  // Two runs, since the first may include compilation.
  const first = await sendOpenLoop({ ...load, sockets: peakSockets });
  const second = await sendOpenLoop({ ...load, sockets: peakSockets });
  const peak = first.perSecond(200) > second.perSecond(200) ? first : second;
  return async () => {
    const rate = 2 * peak.perSecond(200);
    const found = await sendOpenLoop({ ...load, sockets: openSockets, seconds: 2 * seconds }, rate);
    printOverload(peak, found, 2 * seconds);
    return found.perSecond(200) * 2 * seconds;
  };
}

function printOverload(peak: Outcome, found: Outcome, seconds: number): void {
  const most = peak.perSecond(200);
  const rate = 2 * most;
  const counted = [...found.ms].map(([status, { length }]) => `${number.format(length)} × ${status}`);
  const sent = [...found.ms.values()].reduce(
    (sum, { length }) => sum + length,
    found.broken + found.timedOut,
  );
  const refused = found.ms.get(503) ?? [];
  const good = found.perSecond(200);
  console.log(
    `\nOverload: at most ${perSecond(most)} over ${peakSockets} connections (${coresOf(peak)}); offered ${perSecond(rate)}, whether answered or not:
- answered ${perSecond(good)}, **${(good / most).toFixed(2)}** of the most (aim 0.9), after ${summary(found.ms.get(200) ?? [])}
- refused ${((100 * refused.length) / sent).toFixed(0)} % with 503, after ${summary(refused)}; ${found.unexplained} of them without Retry-After (aim 0)
- ${number.format(sent)} of ${number.format(seconds * rate)} sent: ${counted.join(', ')}; ${found.broken} broke, ${found.timedOut} had no answer after 5 s (aim 0)
- ${found.unsent} not sent, because all ${number.format(openSockets)} connections were busy; ${coresOf(found)}`,
  );
}

const number = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const perSecond = (rate: number) => `${number.format(rate)}/s`;
const coresOf = ({ cores }: Outcome) => `sending took ${cores.toFixed(2)} of ${availableParallelism()} cores`;

function summary(ms: readonly number[]): string {
  if (ms.length === 0) return '–';
  const [p50, p99, worst] = [0.5, 0.99, 1].map((share) => `${quantile(ms, share).toFixed(0)} ms`);
  return `${p50}, p99 **${p99}**, worst ${worst}`;
}
