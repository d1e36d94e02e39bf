import { type Caller, Download, Id, offerings } from '@stoa/contracts';
import { Bus } from '@stoa/messaging';
import { Controller, Get, Param } from '@nestjs/common';
import { CurrentCaller } from './auth/caller.decorator.ts';
import { CreatorRoute } from './openapi.decorator.ts';

@Controller('api/downloads')
export class DownloadsController {
  constructor(private readonly bus: Bus) {}

  @Get(':creatorId/:offeringId')
  @CreatorRoute(Download, { problems: [404] })
  read(
    @Param('creatorId', { schema: Id }) creatorId: string,
    @Param('offeringId', { schema: Id }) id: string,
    @CurrentCaller() caller: Caller,
  ) {
    return this.bus.ask(offerings.download, { creatorId, id }, { caller });
  }
}
