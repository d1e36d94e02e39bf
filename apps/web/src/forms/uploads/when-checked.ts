import { ApiError } from '../../api/http.ts';

/** Longer than the media service needs for any file that it accepts. */
const longestCheckMs = 60_000;
const pollIntervalMs = 1000;

/**
 * Polls until a check has ended. A check may take longer than a call and continues on the server; a later
 * call returns its result.
 */
export async function whenChecked<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const endsAt = performance.now() + longestCheckMs;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const isUnderWay = error instanceof ApiError && error.reason === 'timeout';
      if (!isUnderWay || performance.now() > endsAt) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pollIntervalMs));
    signal.throwIfAborted();
  }
}
