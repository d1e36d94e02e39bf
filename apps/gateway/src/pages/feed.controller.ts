import { feedPath, requiredLine } from '@stoa/contracts';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../auth/access.decorator.ts';
import { GatewayConfig } from '../gateway.config.ts';
import { Limited } from '../http/rate-limits.ts';
import { publicLifetime } from '../reads/cache-control.ts';
import type { ResponseKind } from '../reads/cached-response.ts';
import { CreatorReads } from '../reads/creator-reads.ts';
import { PublicReads } from '../reads/public-reads.ts';
import { sendResponse } from '../reads/send-response.ts';
import { readStorefront } from '../reads/storefront.ts';
import { profileFeed } from './feed.ts';
import { WebApp } from './web-app.ts';

@Controller()
@ApiExcludeController()
export class FeedController {
  private readonly kind: ResponseKind;

  constructor(
    private readonly web: WebApp,
    private readonly creators: CreatorReads,
    private readonly reads: PublicReads,
    config: GatewayConfig,
  ) {
    this.kind = {
      ...publicLifetime(config),
      ...{ area: 'page', route: '/profile/:username/feed.xml', limits: ['page', 'api'] },
      contentType: 'application/atom+xml; charset=utf-8',
    };
  }

  @Get('profile/:username/feed.xml')
  @Public()
  @Limited('page', 'api')
  async ofProfile(
    @Param('username', { schema: requiredLine(60) }) username: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ) {
    const name = username.toLowerCase();
    const key = feedPath(name);
    const found = await this.reads.read(key, this.kind, async () => {
      const { creator, items, metadata } = await readStorefront(this.creators, name);
      const { site, siteConfig } = this.web;
      return { ...metadata, text: profileFeed(creator, items, { site, mediaUrl: siteConfig.mediaUrl }) };
    });
    await sendResponse(this.reads, key, found, request, reply);
  }
}
