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
