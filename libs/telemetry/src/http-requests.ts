import {
  context,
  type Histogram,
  metrics as api,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { IncomingHttpHeaders } from 'node:http';
import { hasChildSpan } from './child-spans.ts';
import { add } from './instruments.ts';
import { durationBounds, libraryMetrics, metrics, tracerName } from './names.ts';
import { started } from './sdk.ts';

export interface AnsweredRequest {
  readonly method: string;
  readonly scheme: 'http' | 'https';
  /** Template of the route that answered. */
  readonly route: string;
  readonly status: number;
  /** Of the protocol, such as 1.1. */
  readonly version: string;
  /** When it began (performance.now()). */
  readonly since: number;
}

let histogram: Histogram | undefined;

/** Counts a request that was answered before the HTTP instrumentation saw it, in the histogram of those that it saw. */
export function recordHttpRequest(answered: AnsweredRequest): void {
  const { method, scheme, route, status, version, since } = answered;
  histogram ??= makeHistogram();
  histogram.record((performance.now() - since) / 1000, {
    'http.request.method': method,
    'url.scheme': scheme,
    'network.protocol.version': version,
    'http.route': route,
    'http.response.status_code': status,
    ...errorType(status),
  });
}

/** As the HTTP instrumentation names it. */
const errorType = (status: number) => (status >= 500 ? { 'error.type': String(status) } : {});

/** A request as its span names it. */
export type ServedRequest = Pick<AnsweredRequest, 'method' | 'scheme' | 'route'> & {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Of the spans that say no more than that a request was answered, the share that is kept, 0 to 1. */
  readonly keptShare: number;
};

/**
 * Runs `work` in the server span of a request that the HTTP instrumentation does not see, inside the trace that its
 * headers carry. `work` answers the request and resolves to the status. The span of a request that asked nobody itself,
 * since it shared the question of another, is kept when it failed, and else by chance.
 */
export function asHttpServer(
  { method, scheme, route, path, headers, keptShare }: ServedRequest,
  work: () => Promise<number>,
): Promise<void> {
  const parent = propagation.extract(ROOT_CONTEXT, headers);
  const active = { 'http.request.method': method };
  // What the sampler has to know; each attribute costs something, and most of these spans are not recorded.
  const options = { kind: SpanKind.SERVER, attributes: active };
  const span = trace.getTracer(tracerName).startSpan(`${method} ${route}`, options, parent);
  if (span.isRecording()) span.setAttributes({ 'url.scheme': scheme, 'url.path': path, 'http.route': route });
  return context.with(trace.setSpan(parent, span), async () => {
    add(metrics.httpActive, 1, active);
    let kept = true;
    try {
      const status = await work();
      if (span.isRecording())
        span.setAttributes({ 'http.response.status_code': status, ...errorType(status) });
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      else kept = hasChildSpan(span) || Math.random() < keptShare;
    } finally {
      add(metrics.httpActive, -1, active);
      // A span that never ends is never exported, which is what costs.
      if (kept) span.end();
    }
  });
}

/** The same scope and the same description: to the SDK it is the same instrument. */
function makeHistogram(): Histogram {
  const { name, unit } = libraryMetrics.httpServerDuration;
  const advice = { explicitBucketBoundaries: [...durationBounds] };
  const description = 'Duration of HTTP server requests.';
  return api
    .getMeter('@opentelemetry/instrumentation-http', started.httpVersion)
    .createHistogram(name, { unit, description, advice });
}
