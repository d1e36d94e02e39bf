import { offerings } from '@stoa/contracts';
import { Bus, type Document, Refusal } from '@stoa/messaging';
import { Injectable } from '@nestjs/common';
import { GatheringLoader } from './gathering-loader.ts';

/** Lists of what creators offer, by the creator's id, asked of offerings together. */
@Injectable()
export class OfferingsLoader {
  readonly #loader = new GatheringLoader((creatorIds) => this.#ask(creatorIds));

  constructor(private readonly bus: Bus) {}

  /** The list as offerings wrote it, empty for who offers nothing. */
  load(creatorId: string): Promise<Document> {
    return this.#loader.load(creatorId);
  }

  async #ask(creatorIds: readonly string[]): Promise<(Document | Error)[]> {
    const named = [...new Set(creatorIds)];
    const lists = named.length > 1 ? await this.#listMany(named) : [];
    const byCreator = new Map(named.map((creatorId, place) => [creatorId, lists[place]]));
    // Those that a message of several had no room for.
    const missing = named.filter((creatorId) => !byCreator.get(creatorId));
    await Promise.all(missing.map(async (id) => void byCreator.set(id, await this.#list(id))));
    return creatorIds.map((creatorId) => byCreator.get(creatorId) ?? new Error('No list was answered.'));
  }

  async #listMany(creatorIds: string[]): Promise<Document[]> {
    try {
      return await this.bus.askForDocuments(offerings.listPublicOfMany, { creatorIds });
    } catch (error) {
      if (error instanceof Refusal) throw error;
      // Of the release before, which says it otherwise: each by itself.
      return [];
    }
  }

  async #list(creatorId: string): Promise<Document | undefined> {
    const [list] = await this.bus.askForDocuments(offerings.listPublic, { creatorId });
    return list;
  }
}
