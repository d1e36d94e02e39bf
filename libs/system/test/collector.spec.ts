import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findCollector } from '../src/fetch/collector.ts';
import { inRepository } from '../src/paths.ts';
import { freePorts } from '../src/settings/ports.ts';
import { waitFor } from '../src/testing/wait-for.ts';

const program = findCollector() ?? '';
const config = inRepository('deploy/otel/collector.yaml');

const newTrace = () => crypto.randomUUID().replaceAll('-', '');

/** One span as OTLP in JSON, by default of a new trace. */
function spanOf(
  name: string,
  { traceId = newTrace(), ms = 5, error = false, attributes = {} as Record<string, string> } = {},
) {
  const start = BigInt(Date.now()) * 1_000_000n;
  const span = {
    traceId,
    spanId: crypto.randomUUID().replaceAll('-', '').slice(16),
    name,
    kind: 2,
    startTimeUnixNano: String(start),
    endTimeUnixNano: String(start + BigInt(ms) * 1_000_000n),
    status: { code: error ? 2 : 0 },
    attributes: Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } })),
  };
  return { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] };
}

// Skipped without the collector; "npm run stoa build-program collector" builds it, which takes minutes.
(program === '' ? describe.skip : describe)('deploy/otel/collector.yaml', () => {
  let received = '';
  let collector: ReturnType<typeof spawn>;
  let address: string;
  const viewer = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received += gunzipSync(Buffer.concat(chunks)).toString('latin1');
      response.end();
    });
  });

  beforeAll(async () => {
    viewer.listen(0, '127.0.0.1');
    await once(viewer, 'listening');
    const there = `http://127.0.0.1:${(viewer.address() as AddressInfo).port}`;
    const { otlp } = await freePorts();
    address = `http://127.0.0.1:${otlp}/v1/traces`;
    collector = spawn(program, ['--config', config], {
      stdio: 'ignore',
      env: {
        OTLP_ADDRESS: `127.0.0.1:${otlp}`,
        TRACES_ENDPOINT: there,
        METRICS_ENDPOINT: there,
        TRACES_KEPT_PERCENT: '0',
        TRACES_DECISION_WAIT: '3s',
      },
    });
    await waitFor(() => send(spanOf('too-quick-to-keep')), { timeout: 20_000, interval: 200 });
  }, 30_000);

  afterAll(async () => {
    viewer.close();
    if (!collector.pid || collector.exitCode !== null) return;
    collector.kill();
    await once(collector, 'exit');
  });

  async function send(body: object): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(answer.status).toBe(200);
  }

  it('keeps failed and slow traces, and redacts personal data and keys', async () => {
    await send(spanOf('an-ordinary-one'));
    await send(spanOf('a-slow-one', { ms: 2500 }));
    const attributes = {
      'stoa.note': 'sent by somebody@private.test',
      'url.full': 'http://site.test/download/a/b?key=deliverykey',
      'url.query': 'search=deliverykey',
      'http.request.header.authorization': 'Bearer deliverykey',
      'http.route': '/api/offerings',
    };
    await send(spanOf('a-failed-one', { error: true, attributes }));
    await waitFor(() => expect(received).toContain('a-failed-one'), { timeout: 40_000, interval: 250 });
    await waitFor(() => expect(received).toContain('a-slow-one'), { timeout: 10_000, interval: 250 });
    expect(received).not.toMatch(/an-ordinary-one|too-quick-to-keep/);
    expect(received).toContain('/api/offerings');
    expect(received).not.toMatch(/private\.test|deliverykey/);
  }, 60_000);

  it('keeps the whole trace when its failed span arrives in a later batch', async () => {
    const [failing, slow] = [newTrace(), newTrace()];
    await send(spanOf('the-first-step-of-a-failure', { traceId: failing }));
    await send(spanOf('the-first-step-of-a-long-wait', { traceId: slow }));
    await send(spanOf('the-failure-itself', { traceId: failing, error: true }));
    await send(spanOf('the-long-wait-itself', { traceId: slow, ms: 20_000 }));
    const all = [
      'the-first-step-of-a-failure',
      'the-failure-itself',
      'the-first-step-of-a-long-wait',
      'the-long-wait-itself',
    ];
    await waitFor(() => expect(all.filter((name) => !received.includes(name))).toEqual([]), {
      timeout: 40_000,
      interval: 250,
    });
  }, 60_000);

  it('drops a late span of a trace that was not sampled', async () => {
    const traceId = newTrace();
    await send(spanOf('the-first-step-of-what-ends-late', { traceId }));
    // The second trace arrives later, so the collector decides about it after the first.
    await send(spanOf('a-mark', { error: true }));
    await waitFor(() => expect(received).toContain('a-mark'), { timeout: 40_000, interval: 250 });
    await send(spanOf('a-failure-after-the-end', { traceId, error: true }));
    await send(spanOf('another-mark', { error: true }));
    await waitFor(() => expect(received).toContain('another-mark'), { timeout: 40_000, interval: 250 });
    expect(received).not.toMatch(/what-ends-late|a-failure-after-the-end/);
  }, 60_000);
});

it('the sampling decision waits longer than the longest request and its export', () => {
  const seconds = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1]?.replaceAll('_', ''));
  const wait = seconds(readFileSync(config, 'utf8'), /TRACES_DECISION_WAIT:-(\d+)s/);
  const undoing = readFileSync(inRepository('apps/gateway/src/api/account-changes.controller.ts'), 'utf8');
  const longest = seconds(undoing, /timeoutMs = ([\d_]+);/) / 1000;
  // The default of OTEL_BSP_SCHEDULE_DELAY; twice that for a busy app.
  const exportDelay = 5;
  expect(wait).toBeGreaterThanOrEqual(longest + 2 * exportDelay);
});
