import { creators, limits, type PublicCreator } from '@stoa/contracts';
import { Bus, Refusal } from '@stoa/messaging';
import { Injectable } from '@nestjs/common';
import DataLoader from 'dataloader';

/** A possible username, in any letter case. Other names may not join a batch: one invalid name would fail it as a whole. */
const couldBeTaken = /^[\w-]{1,60}$/;

/**
 * Profiles by name, asked of creators together by all who want one in the same turn of the event loop: under load one
 * message, one signature and one statement serve many requests.
 */
@Injectable()
export class ProfileLoader {
  readonly #loader: DataLoader<string, PublicCreator>;

  constructor(private readonly bus: Bus) {
    this.#loader = new DataLoader((usernames) => this.#loadMany(usernames), {
      // PublicReads is the memory.
      cache: false,
      // A profile has 100 kB at most, and a message 8 MB.
      maxBatchSize: limits.batchSize / 2,
      // After all sockets of this turn were read; the default would end a batch with each of them.
      batchScheduleFn: setImmediate,
    });
  }

  /** @throws Refusal `not_found` when there is no public profile of that name. */
  load(username: string): Promise<PublicCreator> {
    if (!couldBeTaken.test(username)) return this.bus.ask(creators.find, { username });
    return this.#loader.load(username.toLowerCase());
  }

  async #loadMany(usernames: readonly string[]): Promise<(PublicCreator | Error)[]> {
    const [only] = usernames;
    if (only !== undefined && usernames.length === 1)
      return [await this.bus.ask(creators.find, { username: only })];
    const { items } = await this.bus.ask(creators.findMany, { usernames: [...usernames] });
    const found = new Map(items.map((creator) => [creator.username, creator]));
    return usernames.map((name) => found.get(name) ?? new Refusal('not_found', 'Creator not found.'));
  }
}
