import { SpanKind } from '@opentelemetry/api';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';

/**
 * Follows its parent, except where a trace comes in from outside: a browser names the trace of its request, but
 * whether it is kept is ours to decide. The decision depends on the trace id alone. The arguments are the standard
 * variables OTEL_TRACES_SAMPLER and OTEL_TRACES_SAMPLER_ARG; without them everything is kept.
 */
export function edgeSampler(name: string | undefined, argument: string | undefined): Sampler {
  const root = rootSampler(name, argument);
  const inside = new ParentBasedSampler({ root });
  return {
    shouldSample(context, traceId, spanName, kind, attributes, links) {
      const atTheEdge = kind === SpanKind.SERVER && 'http.request.method' in attributes;
      const sampler = atTheEdge ? root : inside;
      return sampler.shouldSample(context, traceId, spanName, kind, attributes, links);
    },
    toString: () => `Edge{${root.toString()}}`,
  };
}

function rootSampler(name: string | undefined, argument: string | undefined): Sampler {
  if (name?.endsWith('always_off')) return new AlwaysOffSampler();
  if (name?.endsWith('traceidratio')) return new TraceIdRatioBasedSampler(Number(argument ?? 1));
  return new AlwaysOnSampler();
}
