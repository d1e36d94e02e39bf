import { type Attributes, SpanKind } from '@opentelemetry/api';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
import { tokenBucket } from './token-bucket.ts';

/**
 * Follows the parent's decision, except for a trace that starts outside: a browser may name the trace of its
 * request, but not decide whether it is kept. `name` and `argument` are the standard variables
 * OTEL_TRACES_SAMPLER and OTEL_TRACES_SAMPLER_ARG. Without them it keeps at most `most` reads (GET and HEAD)
 * and `most` writes a second. More traces show nothing new, and a thousand a second cost a fifth of a busy
 * machine's throughput.
 */
export function edgeSampler(
  name: string | undefined,
  argument: string | undefined,
  most: { readonly reads: number; readonly writes: number },
): Sampler {
  const root = rootSampler(name, argument);
  const inside = new ParentBasedSampler({ root });
  const mayKeepRead = tokenBucket(most.reads);
  const mayKeepWrite = tokenBucket(most.writes);
  return {
    shouldSample(context, traceId, spanName, kind, attributes, links) {
      const atTheEdge = kind === SpanKind.SERVER && 'http.request.method' in attributes;
      const sampler = atTheEdge ? root : inside;
      const result = sampler.shouldSample(context, traceId, spanName, kind, attributes, links);
      if (!atTheEdge || !isKept(result)) return result;
      const mayKeep = isRead(attributes) ? mayKeepRead : mayKeepWrite;
      return mayKeep() ? result : { decision: SamplingDecision.NOT_RECORD };
    },
    toString: () => `Edge{${root.toString()},${most.reads}/s,${most.writes}/s}`,
  };
}

function rootSampler(name: string | undefined, argument: string | undefined): Sampler {
  if (name?.endsWith('always_off')) return new AlwaysOffSampler();
  if (name?.endsWith('traceidratio')) return new TraceIdRatioBasedSampler(Number(argument ?? 1));
  return new AlwaysOnSampler();
}

const isKept = ({ decision }: { decision: SamplingDecision }) =>
  decision === SamplingDecision.RECORD_AND_SAMPLED;
/** Every page view sends one visit, so visits count as reads. */
const isRead = ({ 'http.request.method': method, 'url.path': path }: Attributes) =>
  method === 'GET' || method === 'HEAD' || path === '/api/visits';
