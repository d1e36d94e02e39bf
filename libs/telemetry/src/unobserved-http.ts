import { context, createContextKey } from '@opentelemetry/api';

const unobserved = createContextKey('stoa.http.unobserved');

/**
 * Makes requests that nothing is told of: strangers get no trace headers, and their hosts, of which there are as many as
 * creators please, become no labels of metrics.
 */
export function withoutHttpTelemetry<T>(work: () => Promise<T>): Promise<T> {
  return context.with(context.active().setValue(unobserved, true), work);
}

export const isHttpUnobserved = (): boolean => context.active().getValue(unobserved) === true;
