import { calendarPath, limits, type PublicOffering, requiredLine } from '@stoa/contracts';
import { Refusal } from '@stoa/messaging';
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
import { workshopCalendar } from './calendar.ts';
import { WebApp } from './web-app.ts';

/** Serves the calendar file of a workshop, for visitors who have booked it. */
@Controller()
@ApiExcludeController()
export class CalendarController {
  private readonly kind: ResponseKind;

  constructor(
    private readonly web: WebApp,
    private readonly creators: CreatorReads,
    private readonly reads: PublicReads,
    config: GatewayConfig,
  ) {
    this.kind = {
      ...publicLifetime(config),
      ...{ area: 'page', route: '/profile/:username/:slug/event.ics', limits: ['page', 'api'] },
      contentType: 'text/calendar; charset=utf-8',
      contentDisposition: 'attachment; filename="workshop.ics"',
    };
  }

  @Get('profile/:username/:slug/event.ics')
  @Public()
  @Limited('page', 'api')
  async ofWorkshop(
    @Param('username', { schema: requiredLine(60) }) username: string,
    @Param('slug', { schema: requiredLine(limits.slugLength) }) slug: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ) {
    const name = username.toLowerCase();
    const key = calendarPath(name, slug.toLowerCase());
    const found = await this.reads.read(key, this.kind, async () => {
      const { found: shown } = await this.creators.offering(name, slug.toLowerCase());
      const { schedule, ...offering } = JSON.parse(shown.answer.text) as PublicOffering;
      if (!schedule) throw new Refusal('not_found', 'It has no date.');
      const place = { site: this.web.site, username: name, now: new Date() };
      const { tags, expiresAt } = shown.answer;
      return {
        text: workshopCalendar({ ...offering, schedule }, place),
        tags,
        expiresAt,
        ageMs: shown.ageMs,
      };
    });
    await sendResponse(this.reads, key, found, request, reply);
  }
}
