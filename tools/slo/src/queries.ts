import type { Journey } from './journey.ts';

const histogram = 'http_server_request_duration_seconds';

/** The series of a journey's requests. */
export const total = (journey: Journey): string => `${histogram}_count{${selector(journey)}}`;

/**
 * The series of requests that met the objective. Only a status from 500 on is a failure; errors of users meet
 * it.
 */
export const good = (journey: Journey): string => `${histogram}_bucket{${inTime(journey)}}`;

/** All requests of a journey per second, over a window such as `5m`. */
export const requests = (journey: Journey, window: string): string =>
  `sum(rate(${total(journey)}[${window}]))`;

/**
 * Share of a journey's requests that failed or were too slow, from 0 to 1. No value while there are no
 * requests.
 */
export function errorRatio(journey: Journey, window: string): string {
  const kept = `sum(rate(${good(journey)}[${window}]))`;
  // Adds `vector(0)`: without it a journey whose requests all fail would have no error ratio.
  return `1 - (${kept} or vector(0)) / ${requests(journey, window)}`;
}

/** Number of a journey's requests in a window that missed the objective. */
export function failures(journey: Journey, window: string): string {
  const all = `sum(increase(${total(journey)}[${window}]))`;
  return `${all} - (sum(increase(${good(journey)}[${window}])) or vector(0))`;
}

/** Time within which a share of a journey's requests is answered, in seconds. */
export const latency = (journey: Journey, quantile: number, window: string): string =>
  `histogram_quantile(${quantile}, sum by (le) (rate(${histogram}_bucket{${selector(journey)}}[${window}])))`;

function selector({ methods, routes }: Journey): string {
  return `job="gateway",http_request_method=~"${methods.join('|')}",http_route=~"${routes.join('|')}"`;
}

/** Matches both spellings of a whole boundary: Prometheus 3 writes "1.0", earlier versions "1". */
function inTime(journey: Journey): string {
  const bound = Number.isInteger(journey.seconds) ? `${journey.seconds}(\\\\.0)?` : String(journey.seconds);
  return `${selector(journey)},http_response_status_code!~"5..",le=~"${bound}"`;
}
