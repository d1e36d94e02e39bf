import { type Histogram, metrics as api } from '@opentelemetry/api';
import { durationBounds, libraryMetrics } from './names.ts';
import { sdk } from './sdk.ts';

export interface AnsweredRequest {
  readonly method: string;
  readonly scheme: 'http' | 'https';
  readonly route: string;
  readonly status: number;
  readonly version: string;
  /** Start of the request, as a time of `performance.now()` in milliseconds. */
  readonly since: number;
}

let histogram: Histogram | undefined;

/**
 * Records a request that the HTTP instrumentation skipped (`unobserveIncoming`) in the histogram of observed
 * requests.
 */
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

/** The attribute that the HTTP instrumentation sets for an error. */
const errorType = (status: number) => (status >= 500 ? { 'error.type': String(status) } : {});

/** With the scope and description of the HTTP instrumentation the SDK treats both as one instrument. */
function makeHistogram(): Histogram {
  const { name, unit } = libraryMetrics.httpServerDuration;
  const advice = { explicitBucketBoundaries: [...durationBounds] };
  const description = 'Duration of HTTP server requests.';
  return api
    .getMeter('@opentelemetry/instrumentation-http', sdk.httpVersion)
    .createHistogram(name, { unit, description, advice });
}
