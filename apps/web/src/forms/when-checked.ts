import { ApiError } from '../api/http.ts';

/** Longer than media takes for what it does not refuse. */
const longestCheckMs = 60_000;
const betweenAsksMs = 1000;

/** A check may take longer than a call: it goes on meanwhile, and asking again answers how it ended. */
export async function whenChecked<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const endsAt = performance.now() + longestCheckMs;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const isUnderWay = error instanceof ApiError && error.reason === 'timeout';
      if (!isUnderWay || performance.now() > endsAt) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, betweenAsksMs));
    signal.throwIfAborted();
  }
}
