import { type Caller, identity, SecondFactorList } from '@stoa/contracts';
import { Bus } from '@stoa/messaging';
import { Controller, Get } from '@nestjs/common';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { CreatorRoute } from './openapi.decorator.ts';

@Controller('api/account/second-factors')
export class SecondFactorsController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @CreatorRoute(SecondFactorList, {
    summary: "Lists the caller's second factors",
    description:
      "Passkeys, authenticator apps and recovery codes, the oldest first. The sign-in server's pages add and remove them.",
  })
  list(@CurrentCaller() caller: Caller) {
    return this.bus.ask(identity.listSecondFactors, {}, { caller });
  }
}
