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
    description: 'A ready export has a link that works for a few minutes. Read again to get a new link.',
  })
  read(@CurrentCaller() caller: Caller): Promise<AccountExport> {
    return this.bus.ask(media.readExport, {}, { caller });
  }

  @Post()
  @CreatorRoute(null, {
    summary: "Exports the caller's account",
    description: `Makes one archive in the background and sends a mail when it is ready. It contains the account, profile, offerings, visit
statistics, messages to the caller, results of link checks, decisions of operators, pictures and files. The archive is stored for ${limits.exportHours} hours.
Requires a log-in of the last ten minutes (403 otherwise). Only one export runs at a time (409).`,
    status: 202,
    problems: [403, 409],
  })
  async request(@CurrentCaller() caller: Caller): Promise<void> {
    await this.bus.ask(media.startExport, {}, { caller });
    this.collector.wake();
  }
}
