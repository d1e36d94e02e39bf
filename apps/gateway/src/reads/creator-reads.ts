import {
  BrowseQuery,
  type CreatorPage,
  creators,
  limits,
  nextEnd,
  offerings,
  type CreatorCard,
  type PublicCreator,
  type PublicOfferingList,
  type Showcase,
} from '@stoa/contracts';
import { Bus, Refusal } from '@stoa/messaging';
import { maxEntries } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { GatewayConfig } from '../gateway.config.ts';
import { publicLifetime } from './cache-control.ts';
import type { ResponseKind } from './cached-response.ts';
import { firstExpiry } from './expiry.ts';
import { OfferingsLoader } from './offerings-loader.ts';
import { ProfileLoader } from './profile-loader.ts';
import { type Found, PublicReads } from './public-reads.ts';
import { tags } from './tags.ts';
import { ThumbnailReads } from './thumbnail-reads.ts';

export interface Read {
  /** The address that it has when it is written without detours. */
  readonly key: string;
  readonly found: Found;
}

/** What was read, once its JSON is parsed. */
export const valueOf = <T>({ found }: Read): T => JSON.parse(found.answer.text) as T;

/** A list is asked for anew soon: who comes onto it is no news of those who are on it. */
const listMs = 2000;
const searchMs = 1000;
/** A few megabytes at most. */
const rememberedNames = 20_000;
export const showcaseKey = '/api/showcase';

/** What visitors read of creators, from memory or from the services. */
@Injectable()
export class CreatorReads {
  readonly profileKind: ResponseKind;
  readonly offeringsKind: ResponseKind;
  readonly #offering: ResponseKind;
  readonly #list: ResponseKind;
  readonly #search: ResponseKind;
  readonly #showcase: ResponseKind;
  /** Whose a name was when it was read last. */
  readonly #uids = new LRUCache<string, string>(maxEntries(rememberedNames));

  constructor(
    private readonly bus: Bus,
    private readonly reads: PublicReads,
    private readonly profiles: ProfileLoader,
    private readonly lists: OfferingsLoader,
    private readonly thumbnails: ThumbnailReads,
    config: GatewayConfig,
  ) {
    const api = {
      area: 'api',
      limits: ['api'],
      contentType: 'application/json; charset=utf-8',
      mayLag: true,
      ...publicLifetime(config),
    } as const;
    this.profileKind = { ...api, route: '/api/creators/:username' };
    this.offeringsKind = { ...api, route: '/api/creators/:username/offerings' };
    this.#offering = { ...api, route: '/api/creators/:username/offerings/:slug' };
    this.#list = { ...api, route: '/api/creators', freshMs: listMs };
    this.#showcase = { ...this.#list, route: showcaseKey, mayLag: false };
    this.#search = { ...this.#list, freshMs: searchMs };
  }

  async profile(username: string): Promise<Read> {
    const key = `/api/creators/${encodeURIComponent(username)}`;
    const found = await this.reads.read(key, this.profileKind, async () => {
      const { labels, bytes } = await this.profiles.load(username);
      return { text: bytes, tags: [tags.creator(labels['uid'] ?? '')] };
    });
    return { key, found };
  }

  async offerings(username: string): Promise<Read> {
    const key = `/api/creators/${encodeURIComponent(username)}/offerings`;
    const found = await this.reads.read(key, this.offeringsKind, async () => {
      const { uid, ageMs, part } = await this.#ofCreator(username, (id) => this.lists.load(id));
      return {
        text: part.bytes,
        tags: [tags.creator(uid), tags.offeringsOf(uid)],
        ageMs,
        expiresAt: Number(part.labels['endsAt']),
      };
    });
    return { key, found };
  }

  async offering(username: string, slug: string): Promise<Read> {
    const key = `/api/creators/${encodeURIComponent(username)}/offerings/${encodeURIComponent(slug)}`;
    const found = await this.reads.read(key, this.#offering, async () => {
      const find = (creatorId: string) => this.bus.ask(offerings.findPublic, { creatorId, slug });
      const { uid, ageMs, part: offering } = await this.#ofCreator(username, find);
      const expiresAt = nextEnd([offering]);
      const told = [tags.creator(uid), tags.offeringsOf(uid)];
      return { text: JSON.stringify(offering), tags: told, ageMs, expiresAt };
    });
    return { key, found };
  }

  /**
   * A part of what a creator offers, with whose name it is, and how old that knowledge is where it could not be had anew. Of a
   * name that was read before, both are asked for at once; what a creator who is hidden or gone offers is given to nobody.
   */
  async #ofCreator<T>(username: string, load: (uid: string) => Promise<T>) {
    const remembered = this.#uids.get(username);
    const early = remembered && load(remembered);
    // Whoever has the name now counts, so nobody may be left to wait for it.
    if (early) early.catch(() => undefined);
    const { answer, ageMs } = (await this.profile(username)).found;
    const { uid } = JSON.parse(answer.text) as PublicCreator;
    this.#uids.set(username, uid);
    return { uid, ageMs, part: await (early && uid === remembered ? early : load(uid)) };
  }

  async browse(query: BrowseQuery): Promise<Read> {
    const key = listKey(query);
    const kind = query.search ? this.#search : this.#list;
    const found = await this.reads.read(key, kind, async () => {
      const page = await this.bus.ask(creators.browse, query);
      const { items, ageMs } = await this.thumbnails.addTo(page.items);
      const first = query.cursor ? [tags.lists] : [tags.lists, tags.firstPages];
      return { text: JSON.stringify({ ...page, items }), tags: [...pageTags(page), ...first], ageMs };
    });
    return { key, found };
  }

  /** A whole page of somebody who stands first in the list, for home. */
  async showcase(): Promise<Read> {
    const found = await this.reads.read(showcaseKey, this.#showcase, async () => {
      const list = await this.browse(BrowseQuery.parse({}));
      const { items } = JSON.parse(list.found.answer.text) as CreatorPage;
      const told = [
        tags.firstPages,
        ...items.flatMap(({ uid }) => [tags.creator(uid), tags.offeringsOf(uid)]),
      ];
      const none = { ...answerOf({ creator: null, offerings: [] }), tags: told, ageMs: list.found.ageMs };
      const first = items.find(isWhole);
      if (!first) return none;
      const { thumbnails: _, ...creator } = first;
      const offered = await this.offerings(creator.username).catch((error: unknown) => {
        // Hidden since the list was made, which news of it will make anew.
        if (error instanceof Refusal && error.code === 'not_found') return undefined;
        throw error;
      });
      if (!offered) return none;
      const all = (JSON.parse(offered.found.answer.text) as PublicOfferingList).items;
      const page = all
        .slice(0, limits.showcasedOfferings)
        .map(({ slug, title, price, coverImage }) => ({ slug, title, price, coverImage }));
      const ageMs = offered.found.ageMs ?? list.found.ageMs;
      const expiresAt = firstExpiry([offered.found]);
      return { ...answerOf({ creator, offerings: page }), tags: told, ageMs, expiresAt };
    });
    return { key: showcaseKey, found };
  }
}

const answerOf = (showcase: Showcase) => ({ text: JSON.stringify(showcase) });

const isWhole = ({ profileImage, bioPreview, offeringCount }: CreatorCard) =>
  profileImage !== null && bioPreview !== '' && offeringCount > 0;

/** Those who stand on a page of the list, and what they offer. */
export const pageTags = ({ items }: CreatorPage): string[] =>
  items.flatMap(({ uid }) => [tags.creator(uid), tags.offeringsOf(uid)]);

/** The address of a page of the list, the same for the same question. */
export function listKey({ search, niche, cursor, limit }: BrowseQuery): string {
  const asked = { search, niche, cursor, ...(limit === limits.browsePageSize ? {} : { limit }) };
  const pairs = Object.entries(asked).flatMap(([name, value]) =>
    value ? [[name, String(value)] as [string, string]] : [],
  );
  const text = new URLSearchParams(pairs).toString();
  return text ? `/api/creators?${text}` : '/api/creators';
}
