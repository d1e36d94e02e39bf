import { setTimeout as pause } from 'node:timers/promises';

/**
 * Repeats a check until it no longer throws, and returns its result.
 *
 * @throws the last error of the check when the time is up.
 */
export async function waitFor<T>(
  check: () => T | Promise<T>,
  { timeout = 20_000, interval = 50 }: { timeout?: number; interval?: number } = {},
): Promise<T> {
  const deadline = performance.now() + timeout;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() >= deadline) throw error;
      await pause(interval);
    }
  }
}
