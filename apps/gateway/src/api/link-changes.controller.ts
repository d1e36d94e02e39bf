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
    description: `Those that led visitors to a payment link new to the account, of the last ${limits.linkChangeDays} days, the latest first.`,
  })
  list(@CurrentCaller() caller: Caller) {
    return this.bus.ask(identity.listLinkChanges, {}, { caller });
  }

  // A POST, since programs that look into mails open every link.
  @Post('link-changes/undo')
  @PublicRoute(UndoneLinkChange, {
    summary: 'Takes a change of payment links back',
    description: `By the token in the link that was mailed about it, good for ${limits.linkUndoDays} days and once. The links of before are put back within
moments; an offering without one becomes a draft. Later changes of that page, and of pages that lead to the same new link, are over with it.`,
    problems: [404],
  })
  undo(@Body({ schema: UndoRequest }) request: UndoRequest) {
    return this.bus.ask(identity.undoLinkChange, request);
  }
}
