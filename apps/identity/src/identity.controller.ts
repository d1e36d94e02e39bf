import { identity, type Input } from '@stoa/contracts';
import { type Call, Handles } from '@stoa/messaging';
import { Controller } from '@nestjs/common';
import { IdentityService } from './identity.service.ts';

@Controller()
export class IdentityController {
  constructor(private readonly service: IdentityService) {}

  @Handles(identity.open)
  open(_: Input<typeof identity.open>, call: Call) {
    return this.service.open(call.caller);
  }
}
