import { creators, Cursor, offerings } from '@stoa/contracts';
import { Bus, Refusal } from '@stoa/messaging';
import { Controller, Get, Header, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../auth/access.decorator.ts';
import { Limited } from '../http/rate-limits.ts';
import { alwaysRevalidate, type ResponseKind } from '../reads/cached-response.ts';
import { type LoadedAnswer, PublicReads } from '../reads/public-reads.ts';
import { sendResponse } from '../reads/send-response.ts';
import { tags } from '../reads/tags.ts';
import { offeringPlace, profilePlace, sitemap, sitemapIndex } from './sitemap.ts';
import { staticPages } from './static-pages.ts';
import { WebApp } from './web-app.ts';

const forAnHour = 'public, max-age=3600';
const fixedPlaces = [...staticPages.keys()].map((path) => ({ path }));
const kind: ResponseKind = {
  area: 'page',
  route: '/sitemap.xml',
  limits: ['page', 'api'],
  contentType: 'application/xml; charset=utf-8',
  // Caches must revalidate the sitemap, because hidden pages have to leave it within seconds.
  cacheControl: alwaysRevalidate,
  freshMs: 15_000,
  sharedMs: 0,
  mayLag: true,
};

type Part = Omit<LoadedAnswer, 'tags'>;

@Controller()
@ApiExcludeController()
export class SitemapController {
  constructor(
    private readonly web: WebApp,
    private readonly bus: Bus,
    private readonly reads: PublicReads,
  ) {}

  @Get('robots.txt')
  @Public()
  @Header('content-type', 'text/plain; charset=utf-8')
  @Header('cache-control', forAnHour)
  robots() {
    // Search engines run the scripts of pages, so robots.txt allows two addresses below /api that visitors load.
    return `User-agent: *
Allow: /
Allow: /api/config
Allow: /api/creators
Disallow: /api/
Disallow: /auth/
Disallow: /create-profile
Disallow: /dashboard
Disallow: /download

Sitemap: ${this.web.site}/sitemap.xml
`;
  }

  /** Serves the sitemap of all pages; an index of several sitemaps if there are many profiles. */
  @Get('sitemap.xml')
  @Public()
  @Limited('page', 'api')
  root(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    return this.send('/sitemap.xml', request, reply, async () => {
      const { positions } = await this.bus.ask(creators.surveyProfiles, {});
      if (positions.length === 0) return this.part({ pages: true });
      const parts = positions.map((position) => `/sitemaps/profiles/${position}.xml`);
      return { text: sitemapIndex(this.web.site, ['/sitemaps/pages.xml', ...parts]) };
    });
  }

  /** Serves the sitemap of pages that do not depend on data. */
  @Get('sitemaps/pages.xml')
  @Public()
  pages(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    return this.send('/sitemaps/pages.xml', request, reply, async () => ({
      text: sitemap(this.web.site, fixedPlaces),
    }));
  }

  @Get('sitemaps/profiles/:after.xml')
  @Public()
  @Limited('page', 'api')
  profiles(
    @Param('after', { schema: Cursor }) after: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ) {
    return this.send(`/sitemaps/profiles/${after}.xml`, request, reply, () => this.part({ after }));
  }

  private async part({ after, pages = false }: { after?: string; pages?: boolean }): Promise<Part> {
    const { items } = await this.bus.ask(creators.listProfiles, { after });
    const fixed = pages ? fixedPlaces : [];
    const profiles = new Map(items.map((profile) => [profile.uid, profile]));
    // If offerings cannot be read, they are missing. Search engines do not remove a page because an entry is missing.
    const listed = await this.bus
      .ask(offerings.listEntries, { creatorIds: [...profiles.keys()] })
      .catch(() => undefined);
    const offered = (listed?.items ?? []).flatMap((entry) => {
      const profile = profiles.get(entry.creatorId);
      return profile ? [offeringPlace(profile, entry)] : [];
    });
    const text = sitemap(this.web.site, [...fixed, ...items.map(profilePlace), ...offered]);
    // `ageMs: 0` marks the answer as stale, so that the next request loads it again.
    return listed ? { text } : { text, ageMs: 0 };
  }

  private async send(
    key: string,
    request: FastifyRequest,
    reply: FastifyReply,
    write: () => Promise<Part>,
  ): Promise<void> {
    const load = async () => ({ ...(await write()), tags: [tags.sitemap] });
    const found = await this.reads.read(key, kind, load).catch((error: unknown) => {
      // A timeout is answered with 503, so that search engines keep their index and retry.
      const late = error instanceof Refusal && error.code === 'timeout';
      throw late ? new Refusal('unavailable', 'The sitemap is not available right now.') : error;
    });
    await sendResponse(this.reads, key, found, request, reply);
  }
}
