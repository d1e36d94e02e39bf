import { Session } from 'node:inspector/promises';
import { performance } from 'node:perf_hooks';

const pollMs = 5000;
/** The share of CPU time of an idle process: health checks, metrics, polls of its outbox. */
const restShare = 0.05;
/** Less than this is not worth the 0.1 s pause of a collection. */
const worthBytes = 8 * 1024 * 1024;

/**
 * Returns memory to the operating system while the process is idle, until it ends. V8 collects only during
 * allocations, so garbage of a start or a busy hour would stay.
 */
export function releaseMemoryAtRest(): void {
  let last = performance.eventLoopUtilization();
  let rssAfterLast = 0;
  const check = async () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    if (utilization > restShare || process.memoryUsage.rss() - rssAfterLast < worthBytes) return;
    await releaseMemory();
    rssAfterLast = process.memoryUsage.rss();
    last = performance.eventLoopUtilization();
  };
  setInterval(() => void check(), pollMs).unref();
}

/** Collects all garbage and returns the pages. The debugger session is inside the process and opens no port. */
export async function releaseMemory(): Promise<void> {
  const session = new Session();
  session.connect();
  try {
    await session.post('HeapProfiler.collectGarbage');
  } finally {
    session.disconnect();
  }
}
