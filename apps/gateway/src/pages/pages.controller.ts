import {
  BrowseQuery,
  type CreatorCard,
  creators,
  Niche,
  offerings,
  paths,
  type PublicOffering,
} from '@stoa/contracts';
import { Bus, Refusal } from '@stoa/messaging';
import { Controller, Get, Header, Param, Redirect, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { setTimeout as after } from 'node:timers/promises';
import { Public } from '../auth/access.decorator.ts';
import type { FirstReads } from './page-files.ts';
import { browseHead, type PageHead, profileHead } from './page-head.ts';
import { PublicCache } from '../reads/public-cache.ts';
import { Limited } from '../http/rate-limits.ts';
import { browsePage, notFoundPage, staticPages, unreadProfilePage, workPage } from './static-pages.ts';
import { WebApp } from './web-app.ts';

interface Page {
  readonly status: number;
  readonly head: PageHead;
  readonly reads: FirstReads;
}

/** What is not there by then is left for the browser to ask. */
const patienceMs = 250;
/** When a search engine may ask again for what cannot be read now. */
const retryAfterSeconds = 60;

/** Every address that is neither API nor file belongs to the SPA; the first HTML says what the address is about. */
@Controller()
@ApiExcludeController()
export class PagesController {
  constructor(
    private readonly web: WebApp,
    private readonly bus: Bus,
    private readonly cache: PublicCache,
  ) {}

  @Get('profile/:username')
  @Public()
  @Limited('page', 'api')
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('cache-control', 'no-cache')
  async profile(@Param('username') username: string, @Res({ passthrough: true }) reply: FastifyReply) {
    const { status, head, reads } = await this.profilePage(username);
    void reply.code(status);
    if (status === 503) void reply.header('retry-after', retryAfterSeconds);
    return this.web.page(head, paths.profile(username), reads);
  }

  @Get('browse-creators')
  @Public()
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('cache-control', 'no-cache')
  async browse(@Req() request: FastifyRequest) {
    const { path } = browsePage;
    const asked = new URL(request.url, this.web.site).searchParams;
    // Pages are counted generously, and each text is another question to the database: searching is left to the API.
    if (asked.get('search')?.trim()) return this.web.page(browsePage, path);
    // Like the web app, which shows everybody for a niche that it does not know; other names mean nothing.
    const { data: niche } = Niche.safeParse(asked.get('niche'));
    const cards = await this.firstCards(niche);
    const head = cards ? browseHead(browsePage, cards, this.web.site, niche) : browsePage;
    const data = [niche ? `/api/creators?niche=${niche}` : '/api/creators'];
    return this.web.page(head, path, { data, picture: cards?.[0]?.profileImage });
  }

  @Get('terms')
  @Public()
  @Redirect('/terms-of-service', 301)
  terms() {
    return undefined;
  }

  @Get('*')
  @Public()
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('cache-control', 'no-cache')
  page(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    const path = request.url.split('?')[0] ?? '/';
    if (/^\/(api|assets)(\/|$)/.test(path)) throw new Refusal('not_found', 'There is nothing here.');
    // A link from before keys moved into the fragment; as a page's address caches would keep it.
    if (/[?&]key=/.test(request.url)) void reply.header('cache-control', 'no-store');
    // The router of the web app minds neither the case of an address nor a slash at its end.
    const head = staticPages.get(path.replace(/(?<=.)\/$/, '').toLowerCase()) ?? workPage(path);
    void reply.code(head ? 200 : 404);
    return this.web.page(head ?? notFoundPage, head?.path ?? '');
  }

  private async profilePage(username: string): Promise<Page> {
    try {
      const creator = await this.cache.read('creators', `find ${username}`, () =>
        this.bus.ask(creators.find, { username }),
      );
      const listed = await this.offeringsOf(creator.uid);
      return {
        status: 200,
        head: profileHead(creator, listed, this.web.siteConfig.mediaUrl),
        reads: {
          data: ['', '/offerings'].map((rest) => `/api/creators/${encodeURIComponent(username)}${rest}`),
          picture: creator.profileImage,
        },
      };
    } catch (error) {
      const unknown = error instanceof Refusal && ['not_found', 'invalid_input'].includes(error.code);
      if (unknown) return { status: 404, head: notFoundPage, reads: {} };
      // The page itself can still be shown, and says what is wrong once it asks for the profile. Search engines keep
      // what they know of it.
      const head = unreadProfilePage(paths.profile(username));
      return { status: 503, head, reads: {} };
    }
  }

  private async offeringsOf(creatorId: string): Promise<PublicOffering[] | undefined> {
    const list = this.cache.read('offerings', `list ${creatorId}`, () =>
      this.bus.ask(offerings.listPublic, { creatorId }),
    );
    return list.then(({ items }) => items).catch(() => undefined);
  }

  private async firstCards(niche: Niche | undefined): Promise<CreatorCard[] | undefined> {
    const query = BrowseQuery.parse({ niche });
    const page = this.cache.read('creators', `browse ${JSON.stringify(query)}`, () =>
      this.bus.ask(creators.browse, query),
    );
    const patience = after(patienceMs, undefined, { ref: false });
    const first = await Promise.race([page.catch(() => undefined), patience]);
    return first?.items;
  }
}
