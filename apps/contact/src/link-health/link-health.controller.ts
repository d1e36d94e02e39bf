import { contact, type Input } from '@stoa/contracts';
import { type Call, Handles } from '@stoa/messaging';
import { Controller } from '@nestjs/common';
import { LinkHealthService } from './link-health.service.ts';

@Controller()
export class LinkHealthController {
  constructor(private readonly service: LinkHealthService) {}

  @Handles(contact.readLinkHealth)
  read(_: Input<typeof contact.readLinkHealth>, call: Call) {
    return this.service.read(call.caller);
  }

  @Handles(contact.checkLink)
  check({ id }: Input<typeof contact.checkLink>, call: Call) {
    return this.service.requestCheck(id, call);
  }

  @Handles(contact.listCheckedLinks)
  list({ after }: Input<typeof contact.listCheckedLinks>, call: Call) {
    return this.service.listAll(call.caller, after);
  }
}
