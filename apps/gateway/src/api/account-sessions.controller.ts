import { AccountSessionList, type Caller, identity, SessionId } from '@stoa/contracts';
import { Bus } from '@stoa/messaging';
import { Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { CreatorRoute } from './openapi.decorator.ts';

@Controller('api/account')
export class AccountSessionsController {
  constructor(private readonly bus: Bus) {}

  @Get('sessions')
  @CreatorRoute(AccountSessionList, {
    summary: "Lists the caller's sessions",
    description: 'One for each signed-in browser, the most recently used first.',
    leadsTo: { 'accountsessions.end': { id: '$response.body#/items/0/id' } },
  })
  list(@CurrentCaller() caller: Caller) {
    return this.bus.ask(identity.listSessions, {}, { caller });
  }

  @Delete('sessions/:id')
  @CreatorRoute(null, {
    summary: "Ends one of the caller's sessions",
    description: 'Its tokens are refused everywhere within seconds. It may be the session of this request.',
    status: 204,
    problems: [404],
  })
  async end(
    @Param('id', { schema: SessionId.describe('A session of the list.') }) id: string,
    @CurrentCaller() caller: Caller,
  ) {
    await this.bus.ask(identity.endSession, { id }, { caller });
  }

  @Post('sign-out-everywhere')
  @CreatorRoute(null, {
    summary: "Ends all of the caller's sessions",
    description: 'Includes the session of this request.',
    status: 204,
  })
  async signOutEverywhere(@CurrentCaller() caller: Caller) {
    await this.bus.ask(identity.signOutEverywhere, {}, { caller });
  }
}
