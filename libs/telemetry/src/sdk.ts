/** What `register` started; a process without it has nothing to flush. */
export const started: { flush: () => Promise<void> } = { flush: async () => undefined };

/** Sends what was recorded and not yet exported. Call it last, before the process exits. */
export function flushTelemetry(): Promise<void> {
  return started.flush();
}
