import { AccountExport, type Caller, limits, media } from '@stoa/contracts';
import { Bus } from '@stoa/messaging';
import { Controller, Get, Post } from '@nestjs/common';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { AccountExportSweeper } from './account-export.sweeper.ts';
import { CreatorRoute } from './openapi.decorator.ts';

@Controller('api/account/export')
export class AccountExportController {
  constructor(
    private readonly bus: Bus,
    private readonly collector: AccountExportSweeper,
  ) {}

  @Get()
  @CreatorRoute(AccountExport, {
    summary: "Reads the state of the caller's export",
    description: 'Once it is ready, with a link that works for some minutes: read again for another one.',
  })
  read(@CurrentCaller() caller: Caller): Promise<AccountExport> {
    return this.bus.ask(media.readExport, {}, { caller });
  }

  @Post()
  @CreatorRoute(null, {
    summary: "Exports the caller's account",
    description: `One archive of account, profile, offerings, numbers of visits, messages to the caller, what is known of their links, what operators decided about their pages, pictures and files is made in the
background, and a mail says when it is ready. It lies there for ${limits.exportHours} hours. It takes a log-in of the last ten minutes (403 otherwise); one is made at a time (409).`,
    status: 202,
    problems: [403, 409],
  })
  async request(@CurrentCaller() caller: Caller): Promise<void> {
    await this.bus.ask(media.startExport, {}, { caller });
    this.collector.wake();
  }
}
