import { contact, ContactMessage, ContactReceipt, creators, limits, requiredLine } from '@stoa/contracts';
import { Bus } from '@stoa/messaging';
import { Body, Controller, Ip, Param, Post } from '@nestjs/common';
import { PublicRoute } from './openapi.decorator.ts';

const rateLimit = `Limited to ${limits.contactPerHour} messages per hour, network address and recipient, and ${limits.contactPerHourInAll} per hour and network address.`;

@Controller('api')
export class ContactController {
  constructor(private readonly bus: Bus) {}

  @Post('contact-messages')
  @PublicRoute(ContactReceipt, {
    summary: 'Sends a message to the operator of the site',
    description: `A repeat with the same \`id\` is the same message. ${rateLimit}`,
    status: 202,
  })
  send(@Body({ schema: ContactMessage }) message: ContactMessage, @Ip() sender: string) {
    return this.bus.ask(contact.send, { ...message, sender });
  }

  @Post('creators/:username/messages')
  @PublicRoute(ContactReceipt, {
    summary: 'Sends a message to a creator who is contacted by form',
    description: `The sender never learns the creator's address. Refused with 409 for a creator whose address is public. A
message to a creator with an unconfirmed address waits until it is confirmed. ${rateLimit}`,
    status: 202,
    problems: [404, 409],
  })
  async relay(
    @Param('username', { schema: requiredLine(60).describe('As in the address of the profile.') })
    username: string,
    @Body({ schema: ContactMessage }) message: ContactMessage,
    @Ip() sender: string,
  ) {
    const to = await this.bus.ask(creators.findMailbox, { username });
    return this.bus.ask(contact.relay, { ...message, sender, to });
  }
}
