import autocannon, { type Request, type Result } from 'autocannon';
import { randomUUID } from 'node:crypto';
import { creators } from '@stoa/contracts';
import { type System, waitFor, withClient } from '@stoa/system';
import type { Benchmark, Sites } from './benchmarks.ts';
import { load, median } from './load.ts';

const relayedEvents = 20_000;
const edits = 200;
const often = { interval: 2, timeout: 60_000 };
/** Of the load that is twice what can be answered: more than may wait at once, so that some are refused. */
const connections = 2000;

/** Prints how fast what one service recorded reaches the stream. */
export async function measureRelay({ postgres }: System): Promise<void> {
  const ms = await withClient(postgres.urls.creators, async (client) => {
    const waiting = async () => {
      const { rows } = await client.query<{ count: number }>('SELECT count(*)::int AS count FROM outbox');
      return rows[0]?.count ?? 0;
    };
    const facts = { uid: randomUUID(), offeringCount: 0 };
    // Nobody is told before the commit, so the time counts from there.
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

/** Prints how long an owner's edit takes until visitors are shown it, from the moment that it is acknowledged. */
export async function measureFreshness({ stoa, owners }: Sites, edit: Benchmark): Promise<void> {
  const [owner] = owners;
  if (!owner) throw new Error('Nobody may edit.');
  const nameOf = async (asked: Promise<Response>): Promise<string> => {
    const { displayName } = (await (await asked).json()) as { displayName: string };
    return displayName;
  };
  const headers = { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' };
  const { next } = edit.sides({ stoa, direct: stoa, size: 0, owners: [owner] }).stoa;
  const times: number[] = [];
  for (let count = 0; count < edits; count += 1) {
    // Naming the way of contact publishes the profile.
    const body = JSON.stringify({ ...JSON.parse(String(next().body)), contactBy: 'form' });
    const saved = await nameOf(fetch(`${stoa}/api/me/profile`, { method: 'PUT', headers, body }));
    const began = performance.now();
    await waitFor(async () => {
      const shown = await nameOf(fetch(`${stoa}/api/creators/${owner.username}`));
      if (shown !== saved) throw new Error('The change is not visible.');
    }, often);
    times.push(performance.now() - began);
  }
  const sorted = times.toSorted((one, other) => one - other);
  const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
  const worst = sorted.at(-1) ?? Number.NaN;
  console.log(
    `\nFreshness: ${edits} edits, visible after ${median(times).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, worst ${worst.toFixed(0)} ms`,
  );
}

/** Prints what becomes of twice the requests that can be answered. */
export async function measureOverload(sites: Sites, cold: Benchmark, seconds: number): Promise<void> {
  const { stoa } = cold.sides(sites);
  const peak = await load(stoa, 256, seconds);
  const refused: number[] = [];
  const result = await new Promise<Result>((resolve, reject) => {
    const options = {
      url: stoa.url,
      connections,
      overallRate: Math.round(2 * peak.perSecond),
      duration: 2 * seconds,
      requests: [{ setupRequest: (request: Request) => ({ ...request, ...stoa.next() }) }],
    };
    const done = (error: unknown, ended: Result) => (error ? reject(error as Error) : resolve(ended));
    autocannon(options, done).on('response', (_, status, __, ms) => {
      if (status === 503) refused.push(ms);
    });
  });
  const counts = Object.entries(result.statusCodeStats ?? {}).map(
    ([status, { count = 0 }]) => `${count} × ${status}`,
  );
  const good = result['2xx'] / result.duration;
  const share = (good / peak.perSecond).toFixed(2);
  const quick = refused.length > 0 ? `, a 503 after ${median(refused).toFixed(0)} ms` : '';
  console.log(
    `\nOverload: ${peak.perSecond.toFixed(0)}/s at most; asked for twice that over ${connections} connections, ${good.toFixed(0)}/s were answered (${share}); ${counts.join(', ')}${quick}, ${result.errors} connections broke, ${result.timeouts} timed out, p99 ${result.latency.p99} ms`,
  );
}
