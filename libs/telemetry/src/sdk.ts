import { diag } from '@opentelemetry/api';
import { setTimeout as pause } from 'node:timers/promises';

interface Started {
  flush: () => Promise<void>;
  /** Version of the HTTP instrumentation. */
  httpVersion?: string;
}

/** What `register` started; a process without it has nothing to flush. */
export const started: Started = { flush: async () => undefined };

/** The exporter alone would try for ten seconds, which is longer than an orchestrator may wait. */
const flushMs = 2000;

/**
 * Sends what was recorded and not yet exported, as far as the collector takes it within `flushMs`: one that is away neither
 * fails nor delays a stop. Call it last, before the process exits.
 */
export async function flushTelemetry(): Promise<void> {
  const late = pause(flushMs, undefined, { ref: false });
  await Promise.race([started.flush(), late]).catch((error: unknown) => {
    diag.warn('The last spans and metrics were not exported.', error);
  });
}

/** Whether the standard switch `OTEL_SDK_DISABLED` is on: then no span or metric is made, and no library is patched. */
export function sdkDisabled(env: NodeJS.ProcessEnv): boolean {
  return env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true';
}
