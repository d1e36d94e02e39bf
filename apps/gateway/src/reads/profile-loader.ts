import { creators, limits } from '@stoa/contracts';
import { Bus, type Document, Refusal } from '@stoa/messaging';
import { Injectable } from '@nestjs/common';
import DataLoader from 'dataloader';
import { AsyncLocalStorage } from 'node:async_hooks';

/** A possible username, in any letter case. Other names may not join a batch: one invalid name would fail it as a whole. */
const couldBeTaken = /^[\w-]{1,60}$/;

/** The longest that names wait for an answer on its way, so that they may travel together: a slow one holds nobody up. */
const gatherMs = 5;

/**
 * Profiles by name, asked of creators together: by all who want one in the same turn of the event loop, and while the
 * answer to others is on its way, by all who come meanwhile. Under load one message, one signature and one statement
 * serve many requests; a single visitor waits for nobody.
 */
@Injectable()
export class ProfileLoader {
  readonly #loader: DataLoader<string, Document>;
  #underWay = 0;
  readonly #gathering = new Set<() => void>();

  constructor(private readonly bus: Bus) {
    this.#loader = new DataLoader((usernames) => this.#loadMany(usernames), {
      // PublicReads is the memory.
      cache: false,
      // A profile has 100 kB at most, and a message 8 MB.
      maxBatchSize: limits.batchSize / 2,
      batchScheduleFn: (send) => this.#schedule(send),
    });
  }

  /** The profile as creators wrote it. @throws Refusal `not_found` when there is no public profile of that name. */
  load(username: string): Promise<Document> {
    if (!couldBeTaken.test(username)) return this.#find(username);
    return this.#loader.load(username.toLowerCase());
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

  async #loadMany(usernames: readonly string[]): Promise<(Document | Error)[]> {
    this.#underWay += 1;
    try {
      return await this.#ask(usernames);
    } finally {
      this.#underWay -= 1;
      for (const release of this.#gathering) release();
    }
  }

  async #ask(usernames: readonly string[]): Promise<(Document | Error)[]> {
    const [only] = usernames;
    if (only !== undefined && usernames.length === 1) return [await this.#find(only)];
    const documents = await this.bus.askForDocuments(creators.findMany, { usernames: [...usernames] });
    const found = new Map(documents.map((document) => [document.labels['username'], document]));
    return usernames.map((name) => found.get(name) ?? notFound());
  }

  async #find(username: string): Promise<Document> {
    const [document] = await this.bus.askForDocuments(creators.find, { username });
    if (!document) throw notFound();
    return document;
  }
}

const notFound = () => new Refusal('not_found', 'Creator not found.');
