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
  // Hidden pages leave the sitemap within seconds.
  cacheControl: alwaysRevalidate,
  freshMs: 15_000,
  sharedMs: 0,
  mayLag: true,
};

type Part = Omit<LoadedAnswer, 'tags'>;

/** robots.txt and the sitemaps. */
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
    // Search engines that run scripts load the same data as visitors, so two addresses below /api are allowed.
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

  /** The sitemap of all pages, or the index when profiles need several sitemaps. */
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

  /** The pages that do not depend on data. */
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
    // Without offerings the sitemap is incomplete but correct, since a missing entry does not remove a page from an index.
    const listed = await this.bus
      .ask(offerings.listEntries, { creatorIds: [...profiles.keys()] })
      .catch(() => undefined);
    const offered = (listed?.items ?? []).flatMap((entry) => {
      const profile = profiles.get(entry.creatorId);
      return profile ? [offeringPlace(profile, entry)] : [];
    });
    const text = sitemap(this.web.site, [...fixed, ...items.map(profilePlace), ...offered]);
    // Age 0 marks it as stale, so that it is loaded again soon.
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
      // A timeout becomes 503, on which search engines keep their index and retry.
      const late = error instanceof Refusal && error.code === 'timeout';
      throw late ? new Refusal('unavailable', 'The sitemap is not available right now.') : error;
    });
    await sendResponse(this.reads, key, found, request, reply);
  }
}
