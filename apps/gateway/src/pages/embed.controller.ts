import {
  displayNameOf,
  embedCode,
  embedPath,
  embedSize,
  paths,
  type PublicCreator,
  requiredLine,
} from '@stoa/contracts';
import { Refusal } from '@stoa/messaging';
import { Controller, Get, Header, Param, Query, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Public } from '../auth/access.decorator.ts';
import { GatewayConfig } from '../gateway.config.ts';
import { Limited } from '../http/rate-limits.ts';
import { publicLifetime } from '../reads/cache-control.ts';
import type { ResponseKind } from '../reads/cached-response.ts';
import { CreatorReads, valueOf } from '../reads/creator-reads.ts';
import { cardPath, profileCard } from '../reads/preview-card.ts';
import { PublicReads } from '../reads/public-reads.ts';
import { sendResponse } from '../reads/send-response.ts';
import { readStorefront } from '../reads/storefront.ts';
import { embedPage } from './embed-page.ts';
import { WebApp } from './web-app.ts';

const pixels = z.coerce.number().int().min(1).max(10_000).optional();
const OembedQuery = z.object({
  url: z.string().max(2048),
  format: z.string().max(16).optional(),
  maxwidth: pixels,
  maxheight: pixels,
});
type OembedQuery = z.infer<typeof OembedQuery>;

/** Serves embedded profiles, and the descriptions by which editors find them (oEmbed 1.0). */
@Controller()
@ApiExcludeController()
export class EmbedController {
  private readonly kind: ResponseKind;

  constructor(
    private readonly web: WebApp,
    private readonly creators: CreatorReads,
    private readonly reads: PublicReads,
    config: GatewayConfig,
  ) {
    this.kind = {
      ...publicLifetime(config),
      ...{ area: 'embed', route: '/embed/:username', limits: ['page', 'api'] },
      contentType: 'text/html; charset=utf-8',
    };
  }

  @Get('embed/:username')
  @Header('content-type', 'text/html; charset=utf-8')
  @Public()
  @Limited('page', 'api')
  async page(
    @Param('username', { schema: requiredLine(60) }) username: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ) {
    const name = username.toLowerCase();
    const key = embedPath(name);
    const found = await this.reads.read(key, this.kind, async () => {
      const { creator, items, metadata } = await readStorefront(this.creators, name);
      const { site, siteConfig } = this.web;
      return { ...metadata, text: embedPage(creator, items, { site, mediaUrl: siteConfig.mediaUrl }) };
    });
    await sendResponse(this.reads, key, found, request, reply);
  }

  @Get('oembed')
  @Public()
  @Limited('page', 'api')
  @Header('content-type', 'application/json; charset=utf-8')
  @Header('cache-control', 'public, no-cache')
  @Header('access-control-allow-origin', '*')
  @Header('cross-origin-resource-policy', 'cross-origin')
  async describe(@Query({ schema: OembedQuery }) { url, format = 'json', maxwidth, maxheight }: OembedQuery) {
    const username = usernameAt(url, this.web.site);
    if (!username || format !== 'json') throw new Refusal('not_found', 'There is nothing to embed.');
    const creator = valueOf<PublicCreator>(await this.creators.profile(username));
    const { site } = this.web;
    const name = displayNameOf(creator);
    const size = {
      width: Math.min(maxwidth ?? embedSize.width, embedSize.width),
      height: Math.min(maxheight ?? embedSize.height, embedSize.height),
    };
    return {
      version: '1.0',
      type: 'rich',
      title: `${name} on Stoa`,
      author_name: name,
      author_url: site + paths.profile(creator.username),
      provider_name: 'Stoa',
      provider_url: site,
      cache_age: 300,
      // oEmbed forbids a thumbnail that is larger than the requested size.
      ...((maxwidth ?? 1200) >= 1200 &&
        (maxheight ?? 630) >= 630 && {
          thumbnail_url: site + cardPath(profileCard(creator)),
          thumbnail_width: 1200,
          thumbnail_height: 630,
        }),
      html: embedCode(site, creator.username, size),
      ...size,
    };
  }
}

/** The username in the address of a profile; undefined for other addresses. */
function usernameAt(address: string, site: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { origin, pathname } = new URL(address);
  if (origin !== new URL(site).origin) return undefined;
  return /^\/(?:profile\/@?|@)([\w-]{1,60})\/?$/i.exec(pathname.replace(/%40/g, '@'))?.[1]?.toLowerCase();
}
