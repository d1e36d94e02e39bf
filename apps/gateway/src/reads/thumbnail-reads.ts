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
  /** How old the thumbnails are, where they could not be had anew. */
  readonly ageMs?: number | undefined;
}

/** The covers on a page of cards, asked of offerings in one message and kept until one of its creators' offerings changes. */
@Injectable()
export class ThumbnailReads {
  readonly #kind: ResponseKind;
  readonly #waitMs: number;

  constructor(
    private readonly bus: Bus,
    private readonly reads: PublicReads,
    config: GatewayConfig,
  ) {
    const nobodyAsks = {
      area: 'api',
      route: 'thumbnails',
      limits: [],
      contentType: 'application/json',
      mayLag: true,
    } as const;
    this.#kind = { ...nobodyAsks, ...publicLifetime(config) };
    // More than an older answer takes to stand in, less than a page waits for its list.
    this.#waitMs = config.PAGE_PATIENCE_MS * 0.9;
  }

  /** The cards with what their creators show first; as they are while that cannot be read. */
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
    // No address of a request has a space in it, so nobody is given this by its name.
    return this.reads.read(`thumbnails of ${creatorIds.join(' ')}`, this.#kind, async () => {
      const { lists } = await this.bus.ask(offerings.listThumbnails, { creatorIds });
      return { text: JSON.stringify(lists), tags: creatorIds.map(tags.offeringsOf) };
    });
  }

  /** Nothing where it failed or is late; what comes late is there for the next reader. */
  #soon<T>(reading: Promise<T>): Promise<T | undefined> {
    const late = after(Math.max(1, this.#waitMs - elapsedMs()), undefined, { ref: false });
    return Promise.race([reading.catch(() => undefined), late]);
  }
}
