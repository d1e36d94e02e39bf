import { feedPath, type PublicCreator, type PublicOffering, requiredLine } from '@stoa/contracts';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../auth/access.decorator.ts';
import { GatewayConfig } from '../gateway.config.ts';
import { Limited } from '../http/rate-limits.ts';
import { publicLifetime } from '../reads/cache-control.ts';
import type { ResponseKind } from '../reads/cached-response.ts';
import { CreatorReads, type Read } from '../reads/creator-reads.ts';
import { PublicReads } from '../reads/public-reads.ts';
import { sendResponse } from '../reads/send-response.ts';
import { tags } from '../reads/tags.ts';
import { profileFeed } from './feed.ts';
import { WebApp } from './web-app.ts';

const valueOf = <T>({ found }: Read): T => JSON.parse(found.answer.text) as T;

/** What a creator offers, for who follows them with a feed reader. */
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
      const [profile, list] = await Promise.all([this.creators.profile(name), this.creators.offerings(name)]);
      const creator = valueOf<PublicCreator>(profile);
      const { items } = valueOf<{ items: PublicOffering[] }>(list);
      const place = { site: this.web.site, mediaUrl: this.web.siteConfig.mediaUrl };
      const ages = [profile, list].flatMap(({ found: { ageMs } }) => (ageMs === undefined ? [] : [ageMs]));
      return {
        text: profileFeed(creator, items, place),
        tags: [tags.creator(creator.uid), tags.offeringsOf(creator.uid)],
        ...(ages.length > 0 && { ageMs: Math.max(...ages) }),
      };
    });
    await sendResponse(this.reads, key, found, request, reply);
  }
}
