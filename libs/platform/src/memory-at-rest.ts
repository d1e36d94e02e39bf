import { Session } from 'node:inspector/promises';
import { performance } from 'node:perf_hooks';

const betweenLooksMs = 5000;
/** The share of its time that a process at rest works: health checks, metrics, a look at its outbox. */
const restShare = 0.05;
/** Less than this is not worth the pause of a collection, which is 0.1 s. */
const worthBytes = 8 * 1024 * 1024;

/**
 * Gives memory back to the machine while the process is at rest, until it ends. V8 collects when something is allocated,
 * so what a start or a busy hour left behind would stay for as long as nothing is asked.
 */
export function releaseMemoryAtRest(): void {
  let last = performance.eventLoopUtilization();
  let needed = 0;
  const look = async () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    if (utilization > restShare || process.memoryUsage.rss() - needed < worthBytes) return;
    await releaseMemory();
    needed = process.memoryUsage.rss();
    last = performance.eventLoopUtilization();
  };
  setInterval(() => void look(), betweenLooksMs).unref();
}

/** Collects all garbage and gives the pages back. The debugger's session is one within the process, without a port. */
export async function releaseMemory(): Promise<void> {
  const session = new Session();
  session.connect();
  try {
    await session.post('HeapProfiler.collectGarbage');
  } finally {
    session.disconnect();
  }
}
