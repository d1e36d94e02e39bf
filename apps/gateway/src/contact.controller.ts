import { contact, ContactMessage, ContactReceipt, creators, requiredLine } from '@stoa/contracts';
import { Bus } from '@stoa/messaging';
import { Body, Controller, Ip, Param, Post } from '@nestjs/common';
import { PublicRoute } from './openapi.decorator.ts';

@Controller('api')
export class ContactController {
  constructor(private readonly bus: Bus) {}

  @Post('contact-messages')
  @PublicRoute(ContactReceipt, { status: 202 })
  send(@Body({ schema: ContactMessage }) message: ContactMessage, @Ip() sender: string) {
    return this.bus.ask(contact.send, { ...message, sender });
  }

  /** Passes a message on to a creator who takes mail by form, and keeps their address to itself. */
  @Post('creators/:username/messages')
  @PublicRoute(ContactReceipt, { status: 202, problems: [404, 409] })
  async relay(
    @Param('username', { schema: requiredLine(60) }) username: string,
    @Body({ schema: ContactMessage }) message: ContactMessage,
    @Ip() sender: string,
  ) {
    const to = await this.bus.ask(creators.findMailbox, { username });
    return this.bus.ask(contact.relay, { ...message, sender, to });
  }
}
