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
import { CreatorReads, listKey, pageTags, type Read, showcaseKey } from '../reads/creator-reads.ts';
import type { ResponseKind } from '../reads/cached-response.ts';
import { firstExpiry } from '../reads/expiry.ts';
import { PublicReads } from '../reads/public-reads.ts';
import { tags } from '../reads/tags.ts';
import { offeringHead } from './offering-head.ts';
import { browseHead, type PageHead, profileHead } from './page-head.ts';
import { browsePage } from './static-pages.ts';
import { WebApp } from './web-app.ts';

export type CachedPage = Read;

/** The list that it shows is about as old already. */
const listMs = 1000;

const tagsOf = ({ uid }: PublicCreator) => [tags.creator(uid), tags.offeringsOf(uid)];

/** What a page is made from, by the address of each part; what could not be read is left to the browser. */
function partsOf(parts: Readonly<Record<string, Read | undefined>>) {
  const entries = Object.entries(parts);
  const ages = entries.map(([, part]) => (part ? part.found.ageMs : 0)).filter((age) => age !== undefined);
  return {
    source: {
      answers: Object.fromEntries(entries.flatMap(([key, part]) => (part ? [[key, valueOf(part)]] : []))),
      missing: entries.flatMap(([key, part]) => (part ? [] : [key])),
    },
    // That of the oldest part, where one is stale or missing.
    age: ages.length > 0 ? { ageMs: Math.max(...ages) } : {},
    expiresAt: firstExpiry(entries.map(([, part]) => part?.found)),
  };
}

const valueOf = <T>({ found }: Read): T => JSON.parse(found.answer.text) as T;

/** What is asked for has another address by now. */
class Moved extends Refusal {
  constructor(readonly to: string) {
    super('not_found', 'It has another address.');
  }
}

/** The HTML of the pages that everybody may read, kept as it is sent. */
@Injectable()
export class PublicPages {
  readonly #profile: ResponseKind;
  readonly #offering: ResponseKind;
  readonly #list: ResponseKind;
  readonly #home: ResponseKind;
  readonly #still: ResponseKind;
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
    this.#still = { ...page, route: '/*' };
    // Less than the whole page has.
    this.#partMs = config.PAGE_PATIENCE_MS * 0.8;
  }

  /** @throws Refusal of the profile; a profile whose offerings cannot be read is shown without them. */
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
      const page = await this.web.rendered(head, key, { ...source, picture, header, address: key });
      return { ...page, tags: tagsOf(creator), ...age, expiresAt };
    });
    return { key, found };
  }

  /** @throws Refusal of the profile or the offering; text where the offering's address is another one. */
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
      if (offering.slug !== slug) throw new Moved(paths.offering(username, offering.slug));
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
      if (error instanceof Moved) return error.to;
      throw error;
    });
    return typeof found === 'string' ? found : { key, found };
  }

  /** The list of creators as its first page stands. @throws Refusal where it cannot be read. */
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

  /** What a search finds first. @throws Refusal where it cannot be read */
  async search(text: string, niche: Niche | undefined): Promise<string> {
    const list = await this.creators.browse(BrowseQuery.parse({ search: text, niche }));
    const { source } = partsOf({ [list.key]: list });
    const address = `${browsePage.path}?${new URLSearchParams({ search: text, ...(niche && { niche }) })}`;
    return (await this.web.rendered(browsePage, browsePage.path, { ...source, address })).text;
  }

  /** Home with somebody's page; without it where that cannot be read, and the browser asks for it. */
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

  /** A page whose words depend on no data. */
  async staticPage(head: PageHead): Promise<CachedPage> {
    const key = head.path;
    const load = async () => ({ ...(await this.web.rendered(head, key, { address: key })), tags: [] });
    return { key, found: await this.reads.read(key, this.#still, load) };
  }

  /** A part that the page can be without: the browser asks for it then. */
  async #unlessLate<T>(part: Promise<T>): Promise<T | undefined> {
    const late = after(this.#partMs, undefined, { ref: false });
    return Promise.race([part.catch(() => undefined), late]);
  }

  /** Where the browser asks for the list that `browse` shows. */
  listAddress(niche: Niche | undefined): string {
    return listKey(BrowseQuery.parse({ niche }));
  }
}
