import { context, createContextKey } from '@opentelemetry/api';
import type { IncomingMessage } from 'node:http';

const unobserved = createContextKey('stoa.http.unobserved');

/**
 * Runs outgoing requests without spans, metrics and trace headers. The hosts are arbitrary: creators choose
 * them, and each would become a metric label.
 */
export function withoutHttpTelemetry<T>(work: () => Promise<T>): Promise<T> {
  return context.with(context.active().setValue(unobserved, true), work);
}

export const isHttpUnobserved = (): boolean => context.active().getValue(unobserved) === true;

type Decision = (request: IncomingMessage) => boolean;
const decisions: Decision[] = [];

/**
 * Skips spans and metrics of the HTTP instrumentation for matching requests; the caller records them itself.
 */
export function unobserveIncoming(isLeftOut: Decision): void {
  decisions.push(isLeftOut);
}

export const isIncomingUnobserved = (request: IncomingMessage): boolean =>
  decisions.some((isLeftOut) => isLeftOut(request));
