interface Started {
  flush: () => Promise<void>;
  /** Version of the HTTP instrumentation. */
  httpVersion?: string;
}

/** What `register` started; a process without it has nothing to flush. */
export const started: Started = { flush: async () => undefined };

/** Sends what was recorded and not yet exported. Call it last, before the process exits. */
export function flushTelemetry(): Promise<void> {
  return started.flush();
}

/** Whether the standard switch `OTEL_SDK_DISABLED` is on: then no span or metric is made, and no library is patched. */
export function sdkDisabled(env: NodeJS.ProcessEnv): boolean {
  return env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true';
}
