import { ROOT_CONTEXT, SpanKind, trace, TraceFlags } from '@opentelemetry/api';
import { SamplingDecision } from '@opentelemetry/sdk-trace';
import { expect, it } from '@jest/globals';
import { edgeSampler } from './sampler.ts';

const traceId = 'f'.repeat(32);
const parent = (traceFlags: TraceFlags) =>
  trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId: '1'.repeat(16), traceFlags, isRemote: true });
const fromOutside = { 'http.request.method': 'GET' };

function keeps(sampler: ReturnType<typeof edgeSampler>, flags: TraceFlags, attributes = {}): boolean {
  const { decision } = sampler.shouldSample(parent(flags), traceId, 'x', SpanKind.SERVER, attributes, []);
  return decision === SamplingDecision.RECORD_AND_SAMPLED;
}

it('ignores the sampling decision of a browser', () => {
  expect(keeps(edgeSampler(undefined, undefined), TraceFlags.NONE, fromOutside)).toBe(true);
  expect(keeps(edgeSampler('parentbased_traceidratio', '0'), TraceFlags.SAMPLED, fromOutside)).toBe(false);
});

it('follows the sampling decision of the gateway', () => {
  expect(keeps(edgeSampler(undefined, undefined), TraceFlags.NONE)).toBe(false);
  expect(keeps(edgeSampler('parentbased_traceidratio', '0'), TraceFlags.SAMPLED)).toBe(true);
});
