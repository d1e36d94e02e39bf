import { type CreatorCard, type Output, offerings } from '@stoa/contracts';
import { Bus, elapsedMs } from '@stoa/messaging';
import { Injectable } from '@nestjs/common';
import { setTimeout as after } from 'node:timers/promises';
import { GatewayConfig } from '../gateway.config.ts';
import { publicLifetime } from './cache-control.ts';
import type { ResponseKind } from './cached-response.ts';
import { PublicReads } from './public-reads.ts';
import { tags } from './tags.ts';

type Lists = Output<typeof offerings.listThumbnails>['lists'];

export interface WithThumbnails {
  readonly items: readonly CreatorCard[];
  /** Age in milliseconds, if the thumbnails are stale. */
  readonly ageMs?: number | undefined;
}

/** Loads the covers for a page of creators in one message. They are cached until an offering of these creators changes. */
@Injectable()
export class ThumbnailReads {
  readonly #kind: ResponseKind;
  readonly #waitMs: number;

  constructor(
    private readonly bus: Bus,
    private readonly reads: PublicReads,
    config: GatewayConfig,
  ) {
    const internal = {
      area: 'api',
      route: 'thumbnails',
      limits: [],
      contentType: 'application/json',
      mayLag: true,
    } as const;
    this.#kind = { ...internal, ...publicLifetime(config) };
    // Longer than the wait for a stale response, but shorter than the time that a page waits for its list.
    this.#waitMs = config.PAGE_PATIENCE_MS * 0.9;
  }

  /** Adds the first covers to the cards of creators. While offerings cannot be read, the cards stay without covers. */
  async addTo(cards: readonly CreatorCard[]): Promise<WithThumbnails> {
    const creatorIds = cards.filter(({ offeringCount }) => offeringCount > 0).map(({ uid }) => uid);
    if (creatorIds.length === 0) return { items: cards };
    const found = await this.#soon(this.#read(creatorIds));
    if (!found) return { items: cards };
    const lists = JSON.parse(found.answer.text) as Lists;
    const byCreator = new Map(lists.map(({ creatorId, items }) => [creatorId, items]));
    const items = cards.map((card) => ({ ...card, thumbnails: byCreator.get(card.uid) ?? [] }));
    return { items, ageMs: found.ageMs };
  }

  #read(creatorIds: string[]) {
    // The key contains a space, which no address contains, so no request can read this entry.
    return this.reads.read(`thumbnails of ${creatorIds.join(' ')}`, this.#kind, async () => {
      const { lists } = await this.bus.ask(offerings.listThumbnails, { creatorIds });
      return { text: JSON.stringify(lists), tags: creatorIds.map(tags.offeringsOf) };
    });
  }

  /** Undefined if the load fails or is late. A late result is cached for the next request. */
  #soon<T>(reading: Promise<T>): Promise<T | undefined> {
    const late = after(Math.max(1, this.#waitMs - elapsedMs()), undefined, { ref: false });
    return Promise.race([reading.catch(() => undefined), late]);
  }
}
