import {
  AppealForm,
  type Caller,
  creators,
  Id,
  limits,
  offerings,
  ReportForm,
  ReportReceipt,
  type ReviewedOffering,
  Takedown,
  TakedownList,
} from '@stoa/contracts';
import { Bus } from '@stoa/messaging';
import { widerNetwork } from '@stoa/platform';
import { Body, Controller, Get, Ip, Param, Post } from '@nestjs/common';
import { createHmac } from 'node:crypto';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { GatewayConfig } from '../gateway.config.ts';
import { Limited } from '../http/rate-limits.ts';
import { CreatorRoute, PublicRoute } from './openapi.decorator.ts';

/** 22 characters of base64url contain 128 bits of the hash. */
const sourceLength = 22;

@Controller('api')
export class ReportsController {
  constructor(
    private readonly bus: Bus,
    private readonly config: GatewayConfig,
  ) {}

  @Post('reports')
  @Limited('api', 'report')
  @PublicRoute(ReportReceipt, {
    summary: 'Reports a profile or an offering to the operators',
    description: `A repeat with the same \`id\` is the same report. Only a keyed hash of the sender's network is stored, for a day. Limited to ${limits.reportsPerHour} reports per hour and network address.`,
    status: 202,
    problems: [404],
  })
  async report(
    @Body({ schema: ReportForm }) { username, slug, ...report }: ReportForm,
    @Ip() sender: string,
  ) {
    const { uid: creatorId } = await this.bus.ask(creators.find, { username });
    const offering = slug === undefined ? null : await this.#named(creatorId, slug);
    return this.bus.ask(creators.report, { ...report, creatorId, offering, source: this.#sourceOf(sender) });
  }

  @Get('me/takedowns')
  @CreatorRoute(TakedownList, {
    summary: "Lists the caller's pages that an operator has hidden",
    description: 'With the reason and the state of an appeal.',
  })
  takedowns(@CurrentCaller() caller: Caller) {
    return this.bus.ask(creators.listTakedowns, {}, { caller });
  }

  @Post('me/takedowns/:id/appeal')
  @CreatorRoute(Takedown, {
    summary: 'Appeals against a hidden page',
    description: 'Each case allows one appeal (409 for another).',
    problems: [404, 409],
  })
  appeal(
    @Param('id', { schema: Id.describe('The id of the case.') }) id: string,
    @Body({ schema: AppealForm }) { text }: AppealForm,
    @CurrentCaller() caller: Caller,
  ) {
    return this.bus.ask(creators.appeal, { id, text }, { caller });
  }

  #sourceOf(address: string): string {
    const digest = createHmac('sha256', this.config.HASH_KEY).update(`report ${widerNetwork(address)}`);
    return digest.digest('base64url').slice(0, sourceLength);
  }

  async #named(creatorId: string, slug: string): Promise<ReviewedOffering> {
    const found = await this.bus.ask(offerings.findPublic, { creatorId, slug });
    return { id: found.id, slug: found.slug, title: found.title };
  }
}
