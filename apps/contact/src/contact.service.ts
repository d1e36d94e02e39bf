import type { ContactMessage, ContactReceipt } from '@stoa/contracts';
import { count, metrics } from '@stoa/telemetry';
import { Injectable } from '@nestjs/common';
import { ContactRepository } from './contact.repository.ts';
import { MailQueue } from './mail-queue.ts';

@Injectable()
export class ContactService {
  constructor(
    private readonly messages: ContactRepository,
    private readonly queue: MailQueue,
  ) {}

  /** Stores the message, once for each id. Mail follows on its own: a mail server that is down loses nothing. */
  async receive(message: ContactMessage): Promise<ContactReceipt> {
    await this.messages.insert(message);
    count(metrics.contactReceived);
    this.queue.wake(message.id);
    return { id: message.id };
  }
}
