import { ROOT_CONTEXT, SpanKind, trace, TraceFlags } from '@opentelemetry/api';
import { SamplingDecision } from '@opentelemetry/sdk-trace';
import { afterEach, expect, it, jest } from '@jest/globals';
import { edgeSampler } from './sampler.ts';

const traceId = 'f'.repeat(32);
const parent = (traceFlags: TraceFlags) =>
  trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId: '1'.repeat(16), traceFlags, isRemote: true });
const most = { reads: 100, writes: 100 };
const fromOutside = { 'http.request.method': 'GET' };

function keeps(sampler: ReturnType<typeof edgeSampler>, flags: TraceFlags, attributes = {}): boolean {
  const { decision } = sampler.shouldSample(parent(flags), traceId, 'x', SpanKind.SERVER, attributes, []);
  return decision === SamplingDecision.RECORD_AND_SAMPLED;
}

afterEach(() => {
  jest.useRealTimers();
});

it('ignores the sampling decision of a browser', () => {
  expect(keeps(edgeSampler(undefined, undefined, most), TraceFlags.NONE, fromOutside)).toBe(true);
  expect(keeps(edgeSampler('parentbased_traceidratio', '0', most), TraceFlags.SAMPLED, fromOutside)).toBe(
    false,
  );
});

it('follows the sampling decision of the gateway', () => {
  expect(keeps(edgeSampler(undefined, undefined, most), TraceFlags.NONE)).toBe(false);
  expect(keeps(edgeSampler('parentbased_traceidratio', '0', most), TraceFlags.SAMPLED)).toBe(true);
});

it('keeps at most the allowed number of reads and of writes per second', () => {
  jest.useFakeTimers();
  const sampler = edgeSampler(undefined, undefined, { reads: 3, writes: 5 });
  const kept = (method: string, requests: number) =>
    Array.from({ length: requests }, () =>
      keeps(sampler, TraceFlags.NONE, { 'http.request.method': method }),
    ).filter(Boolean).length;
  expect([kept('GET', 2), kept('HEAD', 2), kept('GET', 2), kept('POST', 10)]).toEqual([2, 1, 0, 5]);
  jest.advanceTimersByTime(700);
  expect([kept('GET', 10), kept('PUT', 10)]).toEqual([2, 3]);
});
