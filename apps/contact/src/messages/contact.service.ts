import {
  type Caller,
  type contact,
  type ContactReceipt,
  type HeldMessages,
  type Input,
  limits,
  type Mailbox,
  type ReceivedMessage,
  type RelayedMessage,
  type SentMessage,
} from '@stoa/contracts';
import { rateLimited, Refusal } from '@stoa/messaging';
import { count, metrics } from '@stoa/telemetry';
import { Injectable } from '@nestjs/common';
import { ContactConfig } from '../contact.config.ts';
import { ContactRepository } from './contact.repository.ts';
import { MailQueue } from './mail-queue.ts';
import { hashNetwork, hashSender } from './sender-hash.ts';

// Suggested wait when a creator's limit is reached. The service cannot know when the limit admits new
// messages.
const fullSeconds = 3600;

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

  close(uid: string, at: string, eventId: string): Promise<void> {
    return this.messages.close(uid, at, eventId);
  }

  async countHeld(caller: Caller): Promise<HeldMessages> {
    return { count: await this.messages.countHeld(caller.uid) };
  }

  async listReceived(
    { uid }: Caller,
    after: Input<typeof contact.listReceived>['after'],
  ): Promise<{ items: ReceivedMessage[] }> {
    return { items: await this.messages.listReceived(uid, after, limits.messagesPage) };
  }

  /** Mails the messages that were held until the creator proved this address. */
  release(uid: string, email: string, at: string): Promise<void> {
    return this.messages.release(uid, email.toLowerCase(), at);
  }

  sweep(signal: AbortSignal): Promise<void> {
    return this.messages.sweep(limits.relayedMessageDays, limits.operatorMessageDays, signal);
  }

  /**
   * Stores the message, once per id. MailQueue mails it later, so an outage of the mail server loses none.
   */
  private async store(message: SentMessage, to: Mailbox | null): Promise<ContactReceipt> {
    const sender = hashSender(message.sender, this.config.SENDER_KEY);
    const network = hashNetwork(message.sender, this.config.SENDER_KEY);
    this.queue.expect(message.id);
    const outcome = await this.messages.store(
      { ...message, sender, network, to },
      {
        perHour: limits.contactPerHour,
        perHourInAll: limits.contactPerHourInAll,
        sameText: limits.contactSameText,
        relayedPerDay: limits.relayedPerDay,
        held: limits.heldMessages,
        addressParts: limits.contactAddressParts,
        networkParts: limits.contactNetworkParts,
      },
    );
    if (outcome.kind === 'refused')
      throw rateLimited(
        'Several messages have come from this network within the hour. Please try again later.',
        outcome.waitSeconds,
      );
    if (outcome.kind === 'closed') throw new Refusal('not_found', 'Creator not found.');
    if (outcome.kind === 'full')
      throw rateLimited('This creator has many messages waiting. Please try again later.', fullSeconds);
    if (outcome.kind === 'stored') count(metrics.contactReceived);
    return { id: message.id };
  }
}
