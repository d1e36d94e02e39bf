import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Request } from 'autocannon';
import { z } from 'zod';
import type { Side, Turn } from './load.ts';

const script = new URL('wrk.lua', import.meta.url).pathname;
/** More than are asked for in a turn of what is not in memory; of the others it makes no difference which come again. */
const distinct = 100_000;

const report = z.object({
  requests: z.number(),
  microseconds: z.number(),
  bytes: z.number(),
  p50: z.number(),
  p99: z.number(),
  broken: z.number(),
  refused: z.number(),
  said: z.array(z.tuple([z.string(), z.number()])),
});

/** As `load` does it, by wrk, for `seconds` over as many connections in one thread. */
export async function loadByWrk(
  wrk: string,
  { url, next, explains }: Side,
  connections: number,
  seconds: number,
): Promise<Turn> {
  const folder = mkdtempSync(join(tmpdir(), 'stoa-wrk-'));
  const file = join(folder, 'requests');
  const { host } = new URL(url);
  try {
    writeFileSync(file, Array.from({ length: distinct }, () => framed(asText(host, next()))).join(''));
    const { stdout } = await promisify(execFile)(wrk, [
      ...['--threads', '1', '--connections', String(connections), '--duration', `${seconds}s`],
      ...['--timeout', '10s', '--script', script, url, '--', file, explains ? 'explain' : 'count'],
    ]);
    const told = report.parse(JSON.parse(stdout.slice(stdout.lastIndexOf('\n{') + 1)));
    const failures = new Map<string, number>();
    const note = (what: string, times: number) =>
      times > 0 && failures.set(what, (failures.get(what) ?? 0) + times);
    for (const [what, times] of told.said) note(what, times);
    if (!explains) note('another status than 2xx or 3xx', told.refused);
    note('broken connections or no answer in time', told.broken);
    return {
      perSecond: (told.requests / told.microseconds) * 1e6,
      p50: told.p50 / 1000,
      p99: told.p99 / 1000,
      bytes: told.bytes / told.requests,
      failed: told.refused + told.broken,
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
