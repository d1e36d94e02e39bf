import { readFailedEvent, retryFailedReads } from '../api/resource.ts';

const firstPauseMs = 4_000;
const longestPauseMs = 300_000;

/** Has failed reads of the page in view retried: once the network is back, and after pauses that grow. */
export function keepRetrying(): void {
  let failures = 0;
  let failedAt = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  addEventListener('online', () => {
    failures = 0;
    retryFailedReads();
  });
  addEventListener(readFailedEvent, () => {
    if (failedAt !== location.pathname) failures = 0;
    failedAt = location.pathname;
    clearTimeout(timer);
    timer = setTimeout(retryFailedReads, Math.min(firstPauseMs * 4 ** failures, longestPauseMs));
    failures += 1;
  });
}
