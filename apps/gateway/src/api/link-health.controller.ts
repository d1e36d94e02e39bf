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
    description: `Every link is checked once a day. A link is listed after ${limits.deadLinkLooks} failed checks in a row, hours apart, until it works again.`,
  })
  read(@CurrentCaller() caller: Caller) {
    return this.bus.ask(contact.readLinkHealth, {}, { caller });
  }

  @Post(':id/looks')
  @CreatorRoute(LinkHealth, {
    summary: 'Requests a new check of a listed link',
    description: `At most once in ${limits.linkCheckMinutes} minutes (429). The response is the current list, and the check follows within moments.`,
    status: 202,
    problems: [404, 429],
  })
  check(
    @Param('id', { schema: Id.describe('The id of the link.') }) id: string,
    @CurrentCaller() caller: Caller,
  ) {
    return this.bus.ask(contact.checkLink, { id }, { caller });
  }
}
