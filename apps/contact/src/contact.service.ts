import {
  type ContactReceipt,
  limits,
  type Mailbox,
  type RelayedMessage,
  type SentMessage,
} from '@stoa/contracts';
import { rateLimited } from '@stoa/messaging';
import { count, metrics } from '@stoa/telemetry';
import { Injectable } from '@nestjs/common';
import { ContactConfig } from './contact.config.ts';
import { ContactRepository } from './contact.repository.ts';
import { MailQueue } from './mail-queue.ts';
import { hashSender } from './sender-hash.ts';

@Injectable()
export class ContactService {
  constructor(
    private readonly messages: ContactRepository,
    private readonly queue: MailQueue,
    private readonly config: ContactConfig,
  ) {}

  send(message: SentMessage): Promise<ContactReceipt> {
    return this.store(message, null);
  }

  relay({ to, ...message }: RelayedMessage): Promise<ContactReceipt> {
    return this.store(message, to);
  }

  /** The creator's account is gone: nobody reads what was written to them. */
  close(uid: string, eventId: string): Promise<void> {
    return this.messages.close(uid, eventId);
  }

  sweep(): Promise<void> {
    return this.messages.sweep(limits.relayedMessageDays);
  }

  /** Stores the message, once for each id. Mail follows on its own: a mail server that is down loses nothing. */
  private async store(message: SentMessage, to: Mailbox | null): Promise<ContactReceipt> {
    const sender = hashSender(message.sender, this.config.SENDER_KEY);
    const outcome = await this.messages.store({ ...message, sender, to }, limits.contactPerHour);
    if (outcome.kind === 'refused')
      throw rateLimited(
        'You have sent several messages within the hour. Please try again later.',
        outcome.waitSeconds,
      );
    if (outcome.kind === 'stored') count(metrics.contactReceived);
    this.queue.wake(outcome.kind === 'stored' ? message.id : undefined);
    return { id: message.id };
  }
}
