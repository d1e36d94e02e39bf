import autocannon, { type Request, type Result } from 'autocannon';
import { wrk } from '@stoa/system/fetch/load-generator';
import { loadByWrk } from './wrk.ts';

export interface Side {
  readonly url: string;
  /** Returns the next request; called once per request. */
  next(): Request;
  /** Whether to record the text of failures, which slows the load down. */
  readonly explains?: boolean;
}

export interface LoadResult {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Bytes of an answer, including its headers. */
  readonly bytes: number;
  /** Answers other than 2xx, and broken connections. */
  readonly failed: number;
  /** Number of failures, by their text if the side explains them. */
  readonly failures: ReadonlyMap<string, number>;
}

const maxTextLength = 300;
/**
 * The part of an error answer that differs each time, removed so that equal failures are counted together.
 */
const trace = /"traceId":"[^"]*",?/;

/**
 * The load generator. Its own CPU time counts on two cores, and autocannon needs ten times as much as wrk.
 */
export const loadGenerator = wrk() ? 'wrk' : 'autocannon';

/** Sends load to one side for some seconds over this number of connections. */
export function load(side: Side, connections: number, seconds: number): Promise<LoadResult> {
  const program = wrk();
  return program
    ? loadByWrk(program, side, connections, seconds)
    : loadByAutocannon(side, connections, seconds);
}

async function loadByAutocannon(
  { url, next, explains = false }: Side,
  connections: number,
  seconds: number,
): Promise<LoadResult> {
  const failures = new Map<string, number>();
  const note = (what: string) => failures.set(what, (failures.get(what) ?? 0) + 1);
  const onResponse = (status: number, body: string) => {
    if (status < 200 || status > 299) note(`${status} ${body.replace(trace, '')}`.slice(0, maxTextLength));
  };
  const result = await new Promise<Result>((resolve, reject) => {
    const options = {
      url,
      connections,
      duration: seconds,
      requests: [
        { setupRequest: (request: Request) => ({ ...request, ...next() }), ...(explains && { onResponse }) },
      ],
    };
    const running = autocannon(options, (error: Error | null, done) =>
      error ? reject(error) : resolve(done),
    );
    running.on('reqError', (error: Error) => note(error.message));
  });
  for (const [status, { count = 0 }] of Object.entries(result.statusCodeStats ?? {}))
    if (!explains && !status.startsWith('2')) failures.set(status, count);
  const { requests, latency, throughput, non2xx, errors, timeouts } = result;
  return {
    perSecond: requests.average,
    p50: latency.p50,
    p99: latency.p99,
    bytes: throughput.average / requests.average,
    failed: non2xx + errors + timeouts,
    failures,
  };
}

/** Measures both sides alternately, so that other load on the machine affects both. */
export async function alternate(
  sides: { readonly stoa: Side; readonly direct: Side },
  { connections, seconds, rounds }: { connections: number; seconds: number; rounds: number },
): Promise<{ stoa: LoadResult[]; direct: LoadResult[] }> {
  const turns: { stoa: LoadResult[]; direct: LoadResult[] } = { stoa: [], direct: [] };
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

/** The value that this share of the values does not exceed; NaN for an empty list. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
}

export async function fetchOnce(url: string, paths: readonly string[]): Promise<void> {
  for (let from = 0; from < paths.length; from += 32)
    await Promise.all(
      paths.slice(from, from + 32).map(async (path) => (await fetch(url + path)).arrayBuffer()),
    );
}
