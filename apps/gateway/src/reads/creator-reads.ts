import {
  BrowseQuery,
  type CreatorPage,
  creators,
  limits,
  nextWorkshopEnd,
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
import { type CachedAnswer, PublicReads } from './public-reads.ts';
import { tags } from './tags.ts';
import { ThumbnailReads } from './thumbnail-reads.ts';

export interface PublicRead {
  /** The canonical address, which is also the key in the cache. */
  readonly key: string;
  readonly found: CachedAnswer;
}

/** Parses the JSON of a response. */
export const valueOf = <T>({ found }: PublicRead): T => JSON.parse(found.answer.text) as T;

/** Milliseconds for which a list is fresh. This is short, because no event makes a list stale when a new creator joins it. */
const listMs = 2000;
const searchMs = 1000;
/** Maximum number of remembered usernames, which take a few megabytes. */
const rememberedNames = 20_000;
export const showcaseKey = '/api/showcase';

/** Reads public data of creators from the cache, or from the services. */
@Injectable()
export class CreatorReads {
  readonly #profile: ResponseKind;
  readonly #offerings: ResponseKind;
  readonly #offering: ResponseKind;
  readonly #list: ResponseKind;
  readonly #search: ResponseKind;
  readonly #showcase: ResponseKind;
  /** The creator id that each username had last. */
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
    this.#profile = { ...api, route: '/api/creators/:username' };
    this.#offerings = { ...api, route: '/api/creators/:username/offerings' };
    this.#offering = { ...api, route: '/api/creators/:username/offerings/:slug' };
    this.#list = { ...api, route: '/api/creators', freshMs: listMs };
    this.#showcase = { ...this.#list, route: showcaseKey, mayLag: false };
    this.#search = { ...this.#list, freshMs: searchMs };
  }

  async profile(username: string): Promise<PublicRead> {
    const key = `/api/creators/${encodeURIComponent(username)}`;
    const found = await this.reads.read(key, this.#profile, async () => {
      const creator = await this.profiles.load(username);
      return { text: JSON.stringify(creator), tags: [tags.creator(creator.uid)] };
    });
    return { key, found };
  }

  async offerings(username: string): Promise<PublicRead> {
    const key = `/api/creators/${encodeURIComponent(username)}/offerings`;
    const found = await this.reads.read(key, this.#offerings, async () => {
      const { uid, ageMs, part } = await this.#ofCreator(username, (id) => this.lists.load(id));
      return {
        text: JSON.stringify(part),
        tags: [tags.creator(uid), tags.offeringsOf(uid)],
        ageMs,
        expiresAt: nextWorkshopEnd(part.items),
      };
    });
    return { key, found };
  }

  async offering(username: string, slug: string): Promise<PublicRead> {
    const key = `/api/creators/${encodeURIComponent(username)}/offerings/${encodeURIComponent(slug)}`;
    const found = await this.reads.read(key, this.#offering, async () => {
      const find = (creatorId: string) => this.bus.ask(offerings.findPublic, { creatorId, slug });
      const { uid, ageMs, part: offering } = await this.#ofCreator(username, find);
      const expiresAt = nextWorkshopEnd([offering]);
      const invalidatedBy = [tags.creator(uid), tags.offeringsOf(uid)];
      return { text: JSON.stringify(offering), tags: invalidatedBy, ageMs, expiresAt };
    });
    return { key, found };
  }

  /**
   * Loads data of the creator with this username. For a remembered username, profile and data load in parallel. If there is
   * no public profile, the data is not returned.
   */
  async #ofCreator<T>(username: string, load: (uid: string) => Promise<T>) {
    const remembered = this.#uids.get(username);
    const early = remembered && load(remembered);
    // If the username has another owner now, no code waits for this promise, and its error must be caught.
    if (early) early.catch(() => undefined);
    const { answer, ageMs } = (await this.profile(username)).found;
    const { uid } = JSON.parse(answer.text) as PublicCreator;
    this.#uids.set(username, uid);
    return { uid, ageMs, part: await (early && uid === remembered ? early : load(uid)) };
  }

  async browse(query: BrowseQuery): Promise<PublicRead> {
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

  /** The first creator of the list with a complete profile, and the first offerings, for the home page. */
  async showcase(): Promise<PublicRead> {
    const found = await this.reads.read(showcaseKey, this.#showcase, async () => {
      const list = await this.browse(BrowseQuery.parse({}));
      const { items } = JSON.parse(list.found.answer.text) as CreatorPage;
      const invalidatedBy = [
        tags.firstPages,
        ...items.flatMap(({ uid }) => [tags.creator(uid), tags.offeringsOf(uid)]),
      ];
      const none = {
        ...answerOf({ creator: null, offerings: [] }),
        tags: invalidatedBy,
        ageMs: list.found.ageMs,
      };
      const first = items.find(isComplete);
      if (!first) return none;
      const { thumbnails: _, ...creator } = first;
      const offered = await this.offerings(creator.username).catch((error: unknown) => {
        // The creator was hidden after the list was loaded. An event about that will make this response stale.
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
      return { ...answerOf({ creator, offerings: page }), tags: invalidatedBy, ageMs, expiresAt };
    });
    return { key: showcaseKey, found };
  }
}

const answerOf = (showcase: Showcase) => ({ text: JSON.stringify(showcase) });

const isComplete = ({ profileImage, bioPreview, offeringCount }: CreatorCard) =>
  profileImage !== null && bioPreview !== '' && offeringCount > 0;

/** The tags of all creators on a page of the list, and of their offerings. */
export const pageTags = ({ items }: CreatorPage): string[] =>
  items.flatMap(({ uid }) => [tags.creator(uid), tags.offeringsOf(uid)]);

/** The canonical address of a page of the list. */
export function listKey({ search, niche, cursor, limit }: BrowseQuery): string {
  const asked = { search, niche, cursor, ...(limit === limits.browsePageSize ? {} : { limit }) };
  const pairs = Object.entries(asked).flatMap(([name, value]) =>
    value ? [[name, String(value)] as [string, string]] : [],
  );
  const text = new URLSearchParams(pairs).toString();
  return text ? `/api/creators?${text}` : '/api/creators';
}
