import {
  BrowseQuery,
  type CreatorPage,
  type Niche,
  paths,
  patterns,
  type PublicCreator,
  type PublicOffering,
} from '@stoa/contracts';
import { Injectable } from '@nestjs/common';
import { GatewayConfig } from '../gateway.config.ts';
import { publicLifetime } from '../reads/cache-control.ts';
import { CreatorReads, listKey, pageTags, type Read } from '../reads/creator-reads.ts';
import type { AnswerKind } from '../reads/kept-answer.ts';
import { PublicReads } from '../reads/public-reads.ts';
import { tags } from '../reads/tags.ts';
import { offeringHead } from './offering-head.ts';
import { browseHead, type PageHead, profileHead } from './page-head.ts';
import { browsePage } from './static-pages.ts';
import { WebApp } from './web-app.ts';

export type KeptPage = Read;

/** The list that it shows is about as old already. */
const listMs = 1000;

const tagsOf = ({ uid }: PublicCreator) => [tags.creator(uid), tags.offeringsOf(uid)];

/** The age of the oldest part, where one is stale or missing. */
function oldestOf(parts: readonly (Read | undefined)[]): { ageMs?: number } {
  const ages = parts.map((part) => (part ? part.found.ageMs : 0)).filter((age) => age !== undefined);
  return ages.length > 0 ? { ageMs: Math.max(...ages) } : {};
}

/** The HTML of the pages that everybody may read, kept as it is sent. */
@Injectable()
export class PublicPages {
  readonly #profile: AnswerKind;
  readonly #offering: AnswerKind;
  readonly #list: AnswerKind;
  readonly #still: AnswerKind;

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
    this.#still = { ...page, route: '/*' };
  }

  /** @throws Refusal of the profile; a profile whose offerings cannot be read is shown without them. */
  async profile(username: string): Promise<KeptPage> {
    const key = paths.profile(username);
    const found = await this.reads.read(key, this.#profile, async () => {
      const [profile, list] = await Promise.all([
        this.creators.profile(username),
        this.creators.offerings(username).catch(() => undefined),
      ]);
      const creator = JSON.parse(profile.found.answer.text) as PublicCreator;
      const listed = list && (JSON.parse(list.found.answer.text) as { items: PublicOffering[] }).items;
      const text = await this.web.page(profileHead(creator, listed, this.web.siteConfig.mediaUrl), key, {
        data: [profile.key, `${profile.key}/offerings`],
        picture: creator.profileImage,
      });
      return { text, tags: tagsOf(creator), ...oldestOf([profile, list]) };
    });
    return { key, found };
  }

  /** @throws Refusal of the profile or the offering; text where the offering's address is another one. */
  async offering(username: string, slug: string): Promise<KeptPage | string> {
    const read = await this.creators.offering(username, slug);
    const offering = JSON.parse(read.found.answer.text) as PublicOffering;
    if (offering.slug !== slug) return paths.offering(username, offering.slug);
    const key = paths.offering(username, slug);
    const found = await this.reads.read(key, this.#offering, async () => {
      const [profile, shown, list] = await Promise.all([
        this.creators.profile(username),
        this.creators.offering(username, slug),
        this.creators.offerings(username).catch(() => undefined),
      ]);
      const creator = JSON.parse(profile.found.answer.text) as PublicCreator;
      const current = JSON.parse(shown.found.answer.text) as PublicOffering;
      const listed = list && (JSON.parse(list.found.answer.text) as { items: PublicOffering[] }).items;
      const { site, siteConfig } = this.web;
      const others = listed?.filter(({ id }) => id !== current.id);
      const head = offeringHead(current, { creator, others, site, mediaUrl: siteConfig.mediaUrl });
      const text = await this.web.page(head, patterns.offering, {
        data: [profile.key, shown.key],
        picture: current.coverImage,
      });
      return { text, tags: tagsOf(creator), ...oldestOf([profile, shown, list]) };
    });
    return { key, found };
  }

  /** The list of creators as its first page stands. @throws Refusal where it cannot be read. */
  async browse(niche: Niche | undefined): Promise<KeptPage> {
    const key = niche ? `${browsePage.path}?niche=${niche}` : browsePage.path;
    const found = await this.reads.read(key, this.#list, async () => {
      const first = await this.creators.browse(BrowseQuery.parse({ niche }));
      const page = JSON.parse(first.found.answer.text) as CreatorPage;
      const text = await this.web.page(
        browseHead(browsePage, page.items, this.web.site, niche),
        browsePage.path,
        { data: [first.key], picture: page.items[0]?.profileImage },
      );
      const { ageMs } = first.found;
      return {
        text,
        tags: [...pageTags(page), tags.firstPages],
        ...(ageMs !== undefined && { ageMs }),
      };
    });
    return { key, found };
  }

  /** A page whose words depend on no data. */
  async still(head: PageHead): Promise<KeptPage> {
    const key = head.path;
    const load = async () => ({ text: await this.web.page(head, key), tags: [] });
    return { key, found: await this.reads.read(key, this.#still, load) };
  }

  /** Where the browser asks for the list that `browse` shows. */
  listAddress(niche: Niche | undefined): string {
    return listKey(BrowseQuery.parse({ niche }));
  }
}
