import { creators } from '@stoa/contracts';
import { Bus, type Document, Refusal } from '@stoa/messaging';
import { Injectable } from '@nestjs/common';
import { GatheringLoader } from './gathering-loader.ts';

/** A possible username, in any letter case. Other names may not join a batch: one invalid name would fail it as a whole. */
const couldBeTaken = /^[\w-]{1,60}$/;

/** Profiles by name, asked of creators together. */
@Injectable()
export class ProfileLoader {
  readonly #loader = new GatheringLoader((usernames) => this.#ask(usernames));

  constructor(private readonly bus: Bus) {}

  /** The profile as creators wrote it. @throws Refusal `not_found` when there is no public profile of that name. */
  load(username: string): Promise<Document> {
    if (!couldBeTaken.test(username)) return this.#find(username);
    return this.#loader.load(username.toLowerCase());
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
