import { limits } from '@stoa/contracts';
import { type Document, readsCurrent } from '@stoa/messaging';
import DataLoader from 'dataloader';
import { AsyncLocalStorage } from 'node:async_hooks';

/** The longest that keys wait for an answer on its way, so that they may travel together: a slow one holds nobody up. */
const gatherMs = 5;

/**
 * Asks a service for documents by key together: for all who want one in the same turn of the event loop, and while the
 * answer to others is on its way, for all who come meanwhile. Under load one message, one signature and one statement
 * serve many requests; a single visitor waits for nobody.
 */
export class GatheringLoader {
  readonly #loader: DataLoader<string, Document>;
  /** For reads that have to hold what was written before: a batch goes to one database. */
  readonly #currentLoader: DataLoader<string, Document>;
  readonly #ask: (keys: readonly string[]) => Promise<(Document | Error)[]>;
  #underWay = 0;
  readonly #gathering = new Set<() => void>();

  /** @param ask Resolves to the document of each key, or to what its reader is told instead, in their order. */
  constructor(ask: (keys: readonly string[]) => Promise<(Document | Error)[]>) {
    this.#ask = ask;
    this.#loader = this.#gather();
    this.#currentLoader = this.#gather();
  }

  load(key: string): Promise<Document> {
    return (readsCurrent() ? this.#currentLoader : this.#loader).load(key);
  }

  #gather(): DataLoader<string, Document> {
    return new DataLoader((keys) => this.#loadMany(keys), {
      // PublicReads is the memory.
      cache: false,
      // A profile has 100 kB at most, and a message 8 MB.
      maxBatchSize: limits.batchSize / 2,
      batchScheduleFn: (send) => this.#schedule(send),
    });
  }

  #schedule(send: () => void): void {
    // After all sockets of this turn were read; the loader's default would end a batch with each of them.
    if (this.#underWay === 0) return void setImmediate(send);
    // The time that is left, and the trace, are those of who began this batch, not of the one before.
    const asBegun = AsyncLocalStorage.snapshot();
    const release = () => {
      clearTimeout(timer);
      this.#gathering.delete(release);
      // Before those who waited are answered: so the service is at work meanwhile.
      asBegun(send);
    };
    const timer = setTimeout(release, gatherMs);
    this.#gathering.add(release);
  }

  async #loadMany(keys: readonly string[]): Promise<(Document | Error)[]> {
    this.#underWay += 1;
    try {
      return await this.#ask(keys);
    } finally {
      this.#underWay -= 1;
      for (const release of this.#gathering) release();
    }
  }
}
