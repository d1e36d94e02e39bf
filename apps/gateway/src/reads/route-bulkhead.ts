import { AsyncResource } from 'node:async_hooks';

/** Longest wait for a place. A longer wait would only delay later loads. */
const waitMs = 500;
/** Length of the queue of one route. A waiting request costs little more than its connection. */
const maxWaiting = 4096;

/**
 * A bulkhead per route: it bounds concurrent loads, so a hanging service only blocks its own routes. Further loads wait in FIFO
 * order and are refused after `waitMs`. An immediate refusal would cause immediate retries, which cost more than waiting.
 */
export class RouteBulkhead {
  readonly #capacity: number;
  readonly #taken = new Map<string, number>();
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  isFull(route: string): boolean {
    return (this.#taken.get(route) ?? 0) >= this.#capacity;
  }

  take(route: string): void {
    this.#taken.set(route, (this.#taken.get(route) ?? 0) + 1);
  }

  /** Frees a place, and offers it to waiting loads until one takes it, the longest waiting first. */
  free(route: string): void {
    this.#taken.set(route, (this.#taken.get(route) ?? 1) - 1);
    const waiting = this.#waiting.get(route);
    while (waiting && !this.isFull(route)) {
      const [first] = waiting;
      if (!first) return;
      first();
    }
  }

  /**
   * Calls `onResult` once: with true when a place is free, or with false after `waitMs`. The place goes to the next load unless
   * `onResult` takes it before it returns.
   */
  wait(route: string, onResult: (isFree: boolean) => void): void {
    const waiting = this.#waiting.get(route) ?? new Set();
    this.#waiting.set(route, waiting);
    if (waiting.size >= maxWaiting) return onResult(false);
    // The request that frees a place calls this, so the async context of the waiting request must be restored.
    const answer = AsyncResource.bind(onResult);
    const end = (isFree: boolean) => {
      clearTimeout(timer);
      waiting.delete(come);
      answer(isFree);
    };
    const come = () => end(true);
    const timer = setTimeout(() => end(false), waitMs);
    waiting.add(come);
  }
}
