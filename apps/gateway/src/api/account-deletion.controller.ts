import { type Caller, DeletionRequest, identity } from '@stoa/contracts';
import { Bus } from '@stoa/messaging';
import { Body, Controller, Post } from '@nestjs/common';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { CreatorRoute } from './openapi.decorator.ts';

@Controller('api/account/deletion')
export class AccountDeletionController {
  constructor(private readonly bus: Bus) {}

  @Post()
  @CreatorRoute(null, {
    summary: "Deletes the caller's account",
    description: `Deletes its profile, offerings, pictures, files and messages. Every session ends immediately, and a mail confirms the end
of the deletion. Requires a log-in of the last ten minutes (403 otherwise). The deletion cannot be undone.`,
    status: 202,
    problems: [403],
  })
  async request(
    @Body({ schema: DeletionRequest }) request: DeletionRequest,
    @CurrentCaller() caller: Caller,
  ): Promise<void> {
    await this.bus.ask(identity.deleteAccount, request, { caller });
  }
}
