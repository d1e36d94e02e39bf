import { AsyncResource } from 'node:async_hooks';

/** Milliseconds after which a waiting load is refused. A longer wait would only delay later loads. */
const waitMs = 500;
/** Maximum number of waiting loads of one route. Each costs little more than its connection. */
const maxWaiting = 4096;

/**
 * Limits the concurrent loads of each route (bulkhead), so that a hanging service blocks only its own routes. Further loads
 * wait in order, because an immediate refusal would cause immediate retries.
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

  /** Ends a load, and offers its place to the waiting loads in order until one takes it. */
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
   * Calls `onResult` once: with true when a place is free, or with false after `waitMs`. If `onResult` does not take the
   * place, the next load gets it.
   */
  wait(route: string, onResult: (isFree: boolean) => void): void {
    const waiting = this.#waiting.get(route) ?? new Set();
    this.#waiting.set(route, waiting);
    if (waiting.size >= maxWaiting) return onResult(false);
    // Restores the async context (deadline, trace) of the waiting load, because another request ends the wait.
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
