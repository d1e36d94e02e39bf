import autocannon, { type Request, type Result } from 'autocannon';

/** What one side is asked in a benchmark. */
export interface Side {
  readonly url: string;
  /** The next request; called once for each. */
  next(): Request;
}

export interface Turn {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Of an answer, with its headers. */
  readonly bytes: number;
  /** Answers other than 2xx, and connections that broke. */
  readonly failed: number;
}

/** Loads one side for some seconds over as many connections. */
export async function load({ url, next }: Side, connections: number, seconds: number): Promise<Turn> {
  const result: Result = await autocannon({
    url,
    connections,
    duration: seconds,
    requests: [{ setupRequest: (request) => ({ ...request, ...next() }) }],
  });
  const { requests, latency, throughput, non2xx, errors, timeouts } = result;
  return {
    perSecond: requests.average,
    p50: latency.p50,
    p99: latency.p99,
    bytes: throughput.average / requests.average,
    failed: non2xx + errors + timeouts,
  };
}

/** Both sides in turns, so that what else the machine does falls on both. */
export async function alternate(
  sides: { readonly stoa: Side; readonly direct: Side },
  { connections, seconds, rounds }: { connections: number; seconds: number; rounds: number },
): Promise<{ stoa: Turn[]; direct: Turn[] }> {
  const turns: { stoa: Turn[]; direct: Turn[] } = { stoa: [], direct: [] };
  for (let round = 0; round < rounds; round += 1)
    for (const name of ['direct', 'stoa'] as const)
      turns[name].push(await load(sides[name], connections, seconds));
  return turns;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** Asks for each path once. */
export async function fetchOnce(url: string, paths: readonly string[]): Promise<void> {
  for (let from = 0; from < paths.length; from += 32)
    await Promise.all(
      paths.slice(from, from + 32).map(async (path) => (await fetch(url + path)).arrayBuffer()),
    );
}
