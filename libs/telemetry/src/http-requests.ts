import { type Histogram, metrics as api } from '@opentelemetry/api';
import { durationBounds, libraryMetrics } from './names.ts';
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
