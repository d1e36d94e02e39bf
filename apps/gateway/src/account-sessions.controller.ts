import { AccountSessionList, type Caller, identity, SessionId } from '@stoa/contracts';
import { Bus } from '@stoa/messaging';
import { Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { CurrentCaller } from './auth/caller.decorator.ts';
import { CreatorRoute } from './openapi.decorator.ts';

@Controller('api/account')
export class AccountSessionsController {
  constructor(private readonly bus: Bus) {}

  @Get('sessions')
  @CreatorRoute(AccountSessionList)
  list(@CurrentCaller() caller: Caller) {
    return this.bus.ask(identity.listSessions, {}, { caller });
  }

  @Delete('sessions/:id')
  @CreatorRoute(null, { status: 204, problems: [404] })
  async end(@Param('id', { schema: SessionId }) id: string, @CurrentCaller() caller: Caller) {
    await this.bus.ask(identity.endSession, { id }, { caller });
  }

  @Post('sign-out-everywhere')
  @CreatorRoute(null, { status: 204 })
  async signOutEverywhere(@CurrentCaller() caller: Caller) {
    await this.bus.ask(identity.signOutEverywhere, {}, { caller });
  }
}
