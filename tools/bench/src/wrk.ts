import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Request } from 'autocannon';
import { z } from 'zod';
import type { Side, LoadResult } from './load.ts';

const script = new URL('wrk.lua', import.meta.url).pathname;
/**
 * More than one measurement requests, so that uncached paths do not repeat; for cached ones the number does
 * not matter.
 */
const distinct = 100_000;

const report = z.object({
  requests: z.number(),
  microseconds: z.number(),
  bytes: z.number(),
  p50: z.number(),
  p99: z.number(),
  broken: z.number(),
  refused: z.number(),
  failures: z.array(z.tuple([z.string(), z.number()])),
});

/** Implements `load` with wrk, for `seconds` over this number of connections in one thread. */
export async function loadByWrk(
  wrk: string,
  { url, next, explains }: Side,
  connections: number,
  seconds: number,
): Promise<LoadResult> {
  const folder = mkdtempSync(join(tmpdir(), 'stoa-wrk-'));
  const file = join(folder, 'requests');
  const { host } = new URL(url);
  try {
    writeFileSync(file, Array.from({ length: distinct }, () => framed(asText(host, next()))).join(''));
    const { stdout } = await promisify(execFile)(wrk, [
      ...['--threads', '1', '--connections', String(connections), '--duration', `${seconds}s`],
      ...['--timeout', '10s', '--script', script, url, '--', file, explains ? 'explain' : 'count'],
    ]);
    const result = report.parse(JSON.parse(stdout.slice(stdout.lastIndexOf('\n{') + 1)));
    const failures = new Map<string, number>();
    const note = (what: string, times: number) =>
      times > 0 && failures.set(what, (failures.get(what) ?? 0) + times);
    for (const [what, times] of result.failures) note(what, times);
    if (!explains) note('another status than 2xx or 3xx', result.refused);
    note('broken connections or no answer in time', result.broken);
    return {
      perSecond: (result.requests / result.microseconds) * 1e6,
      p50: result.p50 / 1000,
      p99: result.p99 / 1000,
      bytes: result.bytes / result.requests,
      failed: result.refused + result.broken,
      failures,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const framed = (text: string) => `${Buffer.byteLength(text)}\n${text}`;

function asText(host: string, { method = 'GET', path = '/', headers = {}, body = '' }: Request): string {
  const length = body ? { 'content-length': Buffer.byteLength(body) } : {};
  const lines = Object.entries({ host, ...headers, ...length }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body.toString()}`;
}
