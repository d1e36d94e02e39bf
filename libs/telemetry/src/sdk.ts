import { diag } from '@opentelemetry/api';
import { setTimeout as pause } from 'node:timers/promises';

interface StartedSdk {
  flush: () => Promise<void>;
  httpVersion?: string;
}

/** Set by `register`. A process without `register` has nothing to flush. */
export const sdk: StartedSdk = { flush: async () => undefined };

/**
 * Milliseconds for the last export. The exporter would retry for ten seconds, which is longer than an
 * orchestrator may wait.
 */
const flushMs = 2000;

/**
 * Exports recorded spans and metrics within `flushMs`. An unavailable collector neither fails nor delays a
 * stop. Call it last, before the process exits.
 */
export async function flushTelemetry(): Promise<void> {
  const late = pause(flushMs, undefined, { ref: false });
  await Promise.race([sdk.flush(), late]).catch((error: unknown) => {
    diag.warn('The last spans and metrics were not exported.', error);
  });
}

/**
 * Whether the standard switch `OTEL_SDK_DISABLED` is on: then no span or metric is made, and no library is
 * patched.
 */
export function sdkDisabled(env: NodeJS.ProcessEnv): boolean {
  return env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true';
}
