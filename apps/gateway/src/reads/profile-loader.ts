import { creators, type PublicCreator } from '@stoa/contracts';
import { Bus, Refusal } from '@stoa/messaging';
import { Injectable } from '@nestjs/common';
import { BatchingLoader } from './batching-loader.ts';

/**
 * A possible username in any letter case. Other names are requested alone, because one invalid name makes a whole batch fail.
 */
const couldBeTaken = /^[\w-]{1,60}$/;

/** A message may have 8 MB, and the largest valid profile takes 200 kB. */
export const profilesPerMessage = 25;

@Injectable()
export class ProfileLoader {
  readonly #loader = new BatchingLoader((usernames) => this.#ask(usernames), profilesPerMessage);

  constructor(private readonly bus: Bus) {}

  /** @throws Refusal `not_found` if no public profile has this username */
  load(username: string): Promise<PublicCreator> {
    if (!couldBeTaken.test(username)) return this.#find(username);
    return this.#loader.load(username.toLowerCase());
  }

  async #ask(usernames: readonly string[]): Promise<(PublicCreator | Error)[]> {
    const [only] = usernames;
    if (only !== undefined && usernames.length === 1) return [await this.#find(only)];
    const { items } = await this.bus.ask(creators.findMany, { usernames: [...usernames] });
    const found = new Map(items.map((creator) => [creator.username, creator]));
    return usernames.map((name) => found.get(name) ?? notFound());
  }

  #find(username: string): Promise<PublicCreator> {
    return this.bus.ask(creators.find, { username });
  }
}

const notFound = () => new Refusal('not_found', 'Creator not found.');
