import { contact, type Input } from '@stoa/contracts';
import { type Call, Handles } from '@stoa/messaging';
import { Controller } from '@nestjs/common';
import { ContactService } from './contact.service.ts';

@Controller()
export class ContactController {
  constructor(private readonly service: ContactService) {}

  @Handles(contact.send)
  send(message: Input<typeof contact.send>) {
    return this.service.send(message);
  }

  @Handles(contact.relay)
  relay(message: Input<typeof contact.relay>) {
    return this.service.relay(message);
  }

  @Handles(contact.countHeld)
  countHeld(_: Input<typeof contact.countHeld>, call: Call) {
    return this.service.countHeld(call.caller);
  }

  @Handles(contact.listReceived)
  listReceived({ after }: Input<typeof contact.listReceived>, call: Call) {
    return this.service.listReceived(call.caller, after);
  }
}
