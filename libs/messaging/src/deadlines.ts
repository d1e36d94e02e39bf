export const endsBefore = (other: Promise<void>, work: Promise<void>): Promise<boolean> =>
  Promise.race([work.then(() => true), other.then(() => false)]);

/**
 * Waits for `work` for at most `ms` milliseconds. Late work continues and may run beside the next delivery of
 * the event.
 *
 * @throws Error when `work` takes longer.
 */
export async function within(ms: number, work: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(() => late.reject(new Error(`The event was not handled within ${ms} ms.`)), ms);
  try {
    await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
