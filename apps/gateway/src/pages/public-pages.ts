import {
  BrowseQuery,
  type CreatorPage,
  Niche,
  paths,
  patterns,
  type PublicCreator,
  type PublicOffering,
} from '@stoa/contracts';
import { Refusal } from '@stoa/messaging';
import { Injectable } from '@nestjs/common';
import { setTimeout as after } from 'node:timers/promises';
import { GatewayConfig } from '../gateway.config.ts';
import { publicLifetime } from '../reads/cache-control.ts';
import { CreatorReads, listKey, pageTags, type PublicRead, showcaseKey } from '../reads/creator-reads.ts';
import type { ResponseKind } from '../reads/cached-response.ts';
import { firstExpiry } from '../reads/expiry.ts';
import { PublicReads } from '../reads/public-reads.ts';
import { tags } from '../reads/tags.ts';
import { offeringHead } from './offering-head.ts';
import { browseHead, type PageHead, profileHead } from './page-head.ts';
import { browsePage } from './static-pages.ts';
import { WebApp } from './web-app.ts';

export type CachedPage = PublicRead;

/** Milliseconds for which a page with a list is fresh. This is short, because its list may already be two seconds old. */
const listMs = 1000;

const tagsOf = ({ uid }: PublicCreator) => [tags.creator(uid), tags.offeringsOf(uid)];

/** Combines the API responses for a page. The browser itself requests those that are missing. */
function partsOf(parts: Readonly<Record<string, PublicRead | undefined>>) {
  const entries = Object.entries(parts);
  const ages = entries.map(([, part]) => (part ? part.found.ageMs : 0)).filter((age) => age !== undefined);
  return {
    source: {
      answers: Object.fromEntries(entries.flatMap(([key, part]) => (part ? [[key, valueOf(part)]] : []))),
      missing: entries.flatMap(([key, part]) => (part ? [] : [key])),
    },
    // The age of the oldest response. A missing response counts as stale with age 0.
    age: ages.length > 0 ? { ageMs: Math.max(...ages) } : {},
    expiresAt: firstExpiry(entries.map(([, part]) => part?.found)),
  };
}

const valueOf = <T>({ found }: PublicRead): T => JSON.parse(found.answer.text) as T;

/** The offering has another address now. */
class MovedPermanently extends Refusal {
  constructor(readonly to: string) {
    super('not_found', 'It has another address.');
  }
}

/** Renders public pages and caches their HTML. */
@Injectable()
export class PublicPages {
  readonly #profile: ResponseKind;
  readonly #offering: ResponseKind;
  readonly #list: ResponseKind;
  readonly #home: ResponseKind;
  readonly #static: ResponseKind;
  readonly #partMs: number;

  constructor(
    private readonly web: WebApp,
    private readonly creators: CreatorReads,
    private readonly reads: PublicReads,
    config: GatewayConfig,
  ) {
    const page = {
      area: 'page',
      limits: ['page'],
      contentType: 'text/html; charset=utf-8',
      ...publicLifetime(config),
    } as const;
    this.#profile = { ...page, route: '/profile/:username', limits: ['page', 'api'] };
    this.#offering = { ...this.#profile, route: '/profile/:username/:slug' };
    this.#list = { ...page, route: '/browse-creators', freshMs: listMs };
    this.#home = { ...this.#list, route: '/*' };
    this.#static = { ...page, route: '/*' };
    // Less than the whole time, so that a page without this part can still be rendered in time.
    this.#partMs = config.PAGE_PATIENCE_MS * 0.8;
  }

  /** Renders a profile, without offerings if they cannot be read. @throws Refusal if the profile cannot be read */
  async profile(username: string): Promise<CachedPage> {
    const key = paths.profile(username);
    const found = await this.reads.read(key, this.#profile, async () => {
      const [profile, list] = await Promise.all([
        this.creators.profile(username),
        this.#unlessLate(this.creators.offerings(username)),
      ]);
      const creator = valueOf<PublicCreator>(profile);
      const { source, age, expiresAt } = partsOf({
        [profile.key]: profile,
        [`${profile.key}/offerings`]: list,
      });
      const head = profileHead(creator, this.web.siteConfig.mediaUrl);
      const { profileImage: picture, headerImage: header } = creator;
      const page = await this.web.rendered(head, patterns.profile, {
        ...source,
        picture,
        header,
        address: key,
      });
      return { ...page, tags: tagsOf(creator), ...age, expiresAt };
    });
    return { key, found };
  }

  /** Renders an offering, or returns its new address. @throws Refusal if the profile or offering cannot be read */
  async offering(username: string, slug: string): Promise<CachedPage | string> {
    const key = paths.offering(username, slug);
    const load = async () => {
      const [profile, shown, list] = await Promise.all([
        this.creators.profile(username),
        this.creators.offering(username, slug),
        this.#unlessLate(this.creators.offerings(username)),
      ]);
      const creator = valueOf<PublicCreator>(profile);
      const offering = valueOf<PublicOffering>(shown);
      if (offering.slug !== slug) throw new MovedPermanently(paths.offering(username, offering.slug));
      const listKey = `${profile.key}/offerings`;
      const { source, age, expiresAt } = partsOf({
        [profile.key]: profile,
        [shown.key]: shown,
        [listKey]: list,
      });
      const { site, siteConfig } = this.web;
      const head = offeringHead(offering, { creator, site, mediaUrl: siteConfig.mediaUrl });
      const picture = offering.coverImage;
      const page = await this.web.rendered(head, patterns.offering, { ...source, picture, address: key });
      return { ...page, tags: tagsOf(creator), ...age, expiresAt };
    };
    const found = await this.reads.read(key, this.#offering, load).catch((error: unknown) => {
      if (error instanceof MovedPermanently) return error.to;
      throw error;
    });
    return typeof found === 'string' ? found : { key, found };
  }

  /** Renders the first page of the list of creators. @throws Refusal if the list cannot be read */
  async browse(niche: Niche | undefined): Promise<CachedPage> {
    const key = niche ? `${browsePage.path}?niche=${niche}` : browsePage.path;
    const found = await this.reads.read(key, this.#list, async () => {
      const list = await this.creators.browse(BrowseQuery.parse({ niche }));
      const page = valueOf<CreatorPage>(list);
      const { source, age } = partsOf({ [list.key]: list });
      const head = browseHead(browsePage, page.items, this.web.site, niche);
      const picture = page.items[0]?.profileImage;
      const shown = await this.web.rendered(head, browsePage.path, { ...source, picture, address: key });
      return { ...shown, tags: [...pageTags(page), tags.firstPages], ...age };
    });
    return { key, found };
  }

  /** Renders the first results of a search. @throws Refusal if they cannot be read */
  async search(text: string, niche: Niche | undefined): Promise<string> {
    const list = await this.creators.browse(BrowseQuery.parse({ search: text, niche }));
    const { source } = partsOf({ [list.key]: list });
    const address = `${browsePage.path}?${new URLSearchParams({ search: text, ...(niche && { niche }) })}`;
    return (await this.web.rendered(browsePage, browsePage.path, { ...source, address })).text;
  }

  /** Renders the home page. If the showcase of a creator cannot be read, the browser loads it. */
  async home(head: PageHead): Promise<CachedPage> {
    const key = head.path;
    const found = await this.reads.read(key, this.#home, async () => {
      const showcase = await this.#unlessLate(this.creators.showcase());
      const { source, age, expiresAt } = partsOf({ [showcaseKey]: showcase });
      const page = await this.web.rendered(head, key, { ...source, address: key });
      return { ...page, tags: [...(showcase?.found.answer.tags ?? [])], ...age, expiresAt };
    });
    return { key, found };
  }

  /** Renders a page that does not depend on data. */
  async staticPage(head: PageHead): Promise<CachedPage> {
    const key = head.path;
    const load = async () => ({ ...(await this.web.rendered(head, key, { address: key })), tags: [] });
    return { key, found: await this.reads.read(key, this.#static, load) };
  }

  /** Waits for an optional part of a page; undefined if it fails or is late, so that the browser loads it. */
  async #unlessLate<T>(part: Promise<T>): Promise<T | undefined> {
    const late = after(this.#partMs, undefined, { ref: false });
    return Promise.race([part.catch(() => undefined), late]);
  }

  /** The API address of the list that `browse` renders. */
  listAddress(niche: Niche | undefined): string {
    return listKey(BrowseQuery.parse({ niche }));
  }
}
