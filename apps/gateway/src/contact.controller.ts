import { contact, ContactMessage, ContactReceipt } from '@stoa/contracts';
import { Bus } from '@stoa/messaging';
import { Body, Controller, Post } from '@nestjs/common';
import { ContactLimit } from './rate-limits.ts';
import { PublicRoute } from './openapi.decorator.ts';

@Controller('api/contact-messages')
export class ContactController {
  constructor(private readonly bus: Bus) {}

  @Post()
  @ContactLimit()
  @PublicRoute(ContactReceipt, { status: 202 })
  send(@Body({ schema: ContactMessage }) message: ContactMessage) {
    return this.bus.ask(contact.send, message);
  }
}
