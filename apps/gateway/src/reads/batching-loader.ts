import { readsCurrent } from '@stoa/messaging';
import DataLoader from 'dataloader';
import { AsyncLocalStorage } from 'node:async_hooks';

/** Maximum milliseconds that keys wait, while a request is in flight, to form a larger batch. */
const batchMs = 5;

/**
 * Loads records in batches. Keys that arrive in the same turn of the event loop, or while a request is in flight, form one
 * batch. Under load, one message and one SQL statement then serve many requests.
 */
export class BatchingLoader<T> {
  readonly #loader: DataLoader<string, T>;
  /** For reads that must be current: a batch is read either from a database replica or from the primary. */
  readonly #currentLoader: DataLoader<string, T>;
  readonly #ask: (keys: readonly string[]) => Promise<(T | Error)[]>;
  readonly #maxBatchSize: number;
  #inFlight = 0;
  readonly #waitingBatches = new Set<() => void>();

  /**
   * @param ask Loads the records in the order of the keys. It returns an error for a key that fails.
   * @param maxBatchSize Maximum number of keys in one call of `ask`
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
      // No cache here, because PublicReads caches the records.
      cache: false,
      maxBatchSize: this.#maxBatchSize,
      batchScheduleFn: (send) => this.#schedule(send),
    });
  }

  #schedule(send: () => void): void {
    // Runs after all sockets of this turn were read. DataLoader itself would end the batch after each socket.
    if (this.#inFlight === 0) return void setImmediate(send);
    // The batch must use deadline and trace of the request that started it, not those of the request that ended.
    const asBegun = AsyncLocalStorage.snapshot();
    const release = () => {
      clearTimeout(timer);
      this.#waitingBatches.delete(release);
      // The next batch is sent before the previous callers continue, so that the service has no pause.
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
