import {
  type Caller,
  identity,
  limits,
  LinkChangeList,
  UndoneLinkChange,
  UndoRequest,
} from '@stoa/contracts';
import { Bus } from '@stoa/messaging';
import { Body, Controller, Get, Post } from '@nestjs/common';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { CreatorRoute, PublicRoute } from './openapi.decorator.ts';

@Controller('api')
export class LinkChangesController {
  constructor(private readonly bus: Bus) {}

  @Get('me/link-changes')
  @CreatorRoute(LinkChangeList, {
    summary: "Lists changes of the caller's payment links",
    description: `Changes of the last ${limits.linkChangeDays} days to a payment link that was new to the account, the latest first.`,
  })
  list(@CurrentCaller() caller: Caller) {
    return this.bus.ask(identity.listLinkChanges, {}, { caller });
  }

  // POST instead of GET, because mail scanners open every link in a mail.
  @Post('link-changes/undo')
  @PublicRoute(UndoneLinkChange, {
    summary: 'Undoes a change of payment links',
    description: `Requires the token of the mailed link, which is valid once and for ${limits.linkUndoDays} days. The earlier links are restored within
moments. An offering without an earlier link becomes a draft. This also ends later changes of that page, and of pages with the same new link.`,
    problems: [404],
  })
  undo(@Body({ schema: UndoRequest }) request: UndoRequest) {
    return this.bus.ask(identity.undoLinkChange, request);
  }
}
