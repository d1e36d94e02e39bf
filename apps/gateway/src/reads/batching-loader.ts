import { readsCurrent } from '@stoa/messaging';
import DataLoader from 'dataloader';
import { AsyncLocalStorage } from 'node:async_hooks';

/** Longest time that keys wait for a request in flight to form a larger batch. A slow response does not delay them further. */
const batchMs = 5;

/**
 * Loads records by key in batches. Keys of the same turn of the event loop form a batch, and so do keys that arrive while a
 * request is in flight. Under load one message and one SQL statement serve many requests. A single request does not wait.
 */
export class BatchingLoader<T> {
  readonly #loader: DataLoader<string, T>;
  /** For reads that must not lag, since a batch reads either a replica or the primary database. */
  readonly #currentLoader: DataLoader<string, T>;
  readonly #ask: (keys: readonly string[]) => Promise<(T | Error)[]>;
  readonly #maxBatchSize: number;
  #inFlight = 0;
  readonly #waitingBatches = new Set<() => void>();

  /**
   * @param ask Resolves to the record of each key, or to the error of that key, in the order of the keys.
   * @param maxBatchSize Limit of keys in one call of `ask`.
   */
  constructor(ask: (keys: readonly string[]) => Promise<(T | Error)[]>, maxBatchSize: number) {
    this.#ask = ask;
    this.#maxBatchSize = maxBatchSize;
    this.#loader = this.#newLoader();
    this.#currentLoader = this.#newLoader();
  }

  load(key: string): Promise<T> {
    return (readsCurrent() ? this.#currentLoader : this.#loader).load(key);
  }

  #newLoader(): DataLoader<string, T> {
    return new DataLoader((keys) => this.#loadMany(keys), {
      // PublicReads caches the records.
      cache: false,
      maxBatchSize: this.#maxBatchSize,
      batchScheduleFn: (send) => this.#schedule(send),
    });
  }

  #schedule(send: () => void): void {
    // Runs after all sockets of this turn were read. The default of DataLoader would end a batch after each socket.
    if (this.#inFlight === 0) return void setImmediate(send);
    // Keeps the deadline and trace of the request that started this batch, not those of the previous one.
    const asBegun = AsyncLocalStorage.snapshot();
    const release = () => {
      clearTimeout(timer);
      this.#waitingBatches.delete(release);
      // The next batch is sent before the previous callers continue, so that the service is not idle.
      asBegun(send);
    };
    const timer = setTimeout(release, batchMs);
    this.#waitingBatches.add(release);
  }

  async #loadMany(keys: readonly string[]): Promise<(T | Error)[]> {
    this.#inFlight += 1;
    try {
      return await this.#ask(keys);
    } finally {
      this.#inFlight -= 1;
      for (const release of this.#waitingBatches) release();
    }
  }
}
