import { limits, offerings, type PublicOfferingList } from '@stoa/contracts';
import { Bus } from '@stoa/messaging';
import { Injectable } from '@nestjs/common';
import { BatchingLoader } from './batching-loader.ts';

@Injectable()
export class OfferingsLoader {
  readonly #loader = new BatchingLoader((creatorIds) => this.#ask(creatorIds), limits.batchSize / 2);

  constructor(private readonly bus: Bus) {}

  /** The list of a creator's offerings; empty if the creator is unknown. */
  load(creatorId: string): Promise<PublicOfferingList> {
    return this.#loader.load(creatorId);
  }

  async #ask(creatorIds: readonly string[]): Promise<(PublicOfferingList | Error)[]> {
    const named = [...new Set(creatorIds)];
    const lists = named.length > 1 ? await this.#listMany(named) : [];
    const byCreator = new Map(named.map((creatorId, place) => [creatorId, lists[place]]));
    // Requests the lists that did not fit into the answer to the batch.
    const missing = named.filter((creatorId) => !byCreator.get(creatorId));
    await Promise.all(missing.map(async (id) => void byCreator.set(id, await this.#list(id))));
    return creatorIds.map((creatorId) => byCreator.get(creatorId) ?? new Error('No list was answered.'));
  }

  async #listMany(creatorIds: string[]): Promise<PublicOfferingList[]> {
    return (await this.bus.ask(offerings.listPublicOfMany, { creatorIds })).items;
  }

  #list(creatorId: string): Promise<PublicOfferingList> {
    return this.bus.ask(offerings.listPublic, { creatorId });
  }
}
