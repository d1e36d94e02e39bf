import { type Caller, Creator, creators, identity } from '@stoa/contracts';
import { Bus } from '@stoa/messaging';
import { Controller, Post } from '@nestjs/common';
import { CurrentCaller } from './auth/caller.decorator.ts';
import { CreatorRoute } from './openapi.decorator.ts';

@Controller('api/session')
export class SessionController {
  constructor(private readonly bus: Bus) {}

  /** Opens the caller's records on their first call; asked again it only answers them. */
  @Post()
  @CreatorRoute(Creator, { problems: [409] })
  async open(@CurrentCaller() caller: Caller) {
    const opened = [
      this.bus.ask(creators.open, {}, { caller }),
      this.bus.ask(identity.open, {}, { caller }),
    ] as const;
    return (await Promise.all(opened))[0];
  }
}
