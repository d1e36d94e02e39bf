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
import { ContactConfig } from './contact.config.ts';
import { ContactRepository } from './contact.repository.ts';
import { MailQueue } from './mail-queue.ts';
import { hashNetwork, hashSender } from './sender-hash.ts';

// When there is room again is not known.
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

  /** The creator's account is gone: nobody reads what was written to them. */
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

  /** The address is proved: what waited for it goes out. */
  async release(uid: string, email: string, at: string): Promise<void> {
    if ((await this.messages.release(uid, email.toLowerCase(), at)) > 0) this.queue.wake();
  }

  sweep(signal: AbortSignal): Promise<void> {
    return this.messages.sweep(limits.relayedMessageDays, limits.operatorMessageDays, signal);
  }

  /** Stores the message, once for each id. Mail follows on its own: a mail server that is down loses nothing. */
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
    this.queue.wake();
    return { id: message.id };
  }
}
