import { type Caller, contact, Id, limits, LinkHealth } from '@stoa/contracts';
import { Bus } from '@stoa/messaging';
import { Controller, Get, Param, Post } from '@nestjs/common';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { CreatorRoute } from './openapi.decorator.ts';

@Controller('api/me/link-health')
export class LinkHealthController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @CreatorRoute(LinkHealth, {
    summary: "Lists the caller's published links that no longer work",
    description: `Every link is looked at once a day. One is listed after ${limits.deadLinkLooks} looks in a row that failed, hours apart, and no more once it works.`,
  })
  read(@CurrentCaller() caller: Caller) {
    return this.bus.ask(contact.readLinkHealth, {}, { caller });
  }

  @Post(':id/looks')
  @CreatorRoute(LinkHealth, {
    summary: 'Has one of them looked at again soon',
    description: `Once in ${limits.linkCheckMinutes} minutes (429). The answer is the list as it is now; the look follows within moments.`,
    status: 202,
    problems: [404, 429],
  })
  check(@Param('id', { schema: Id.describe('Of the link.') }) id: string, @CurrentCaller() caller: Caller) {
    return this.bus.ask(contact.checkLink, { id }, { caller });
  }
}
