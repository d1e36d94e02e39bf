import { z } from 'zod';
import { contract, event, request } from './contract.ts';
import { Mailbox } from './creators.ts';
import { ErasedAccount } from './erasure.ts';
import { Email, Id, Nothing, requiredLine, requiredText, Timestamp } from './fields.ts';
import { CheckedLink, DeadLinkFacts, LinkHealth } from './link-health.ts';
import { limits } from './limits.ts';

export const ContactMessage = z
  .object({
    id: Id.describe("Made by the sender's browser: a repeat with the same id is the same message."),
    name: requiredLine(100),
    email: Email.describe('Where the answer goes.'),
    subject: requiredLine(200),
    message: requiredText(limits.messageLength),
  })
  .meta({ id: 'ContactMessage' });
export type ContactMessage = z.infer<typeof ContactMessage>;

export const ContactReceipt = z.object({ id: Id }).meta({ id: 'ContactReceipt' });
export type ContactReceipt = z.infer<typeof ContactReceipt>;

/** A message and the network address it came from, as the gateway saw it: the limit counts by it. */
export const SentMessage = ContactMessage.extend({ sender: z.string().min(1).max(100) });
export type SentMessage = z.infer<typeof SentMessage>;

/** A message for a creator who keeps their address to themselves. */
export const RelayedMessage = SentMessage.extend({ to: Mailbox });
export type RelayedMessage = z.infer<typeof RelayedMessage>;

/** Messages that wait until the creator has proved their address. */
export const HeldMessages = z.object({ count: z.int().nonnegative() }).meta({ id: 'HeldMessages' });
export type HeldMessages = z.infer<typeof HeldMessages>;

/** A message as the creator got it. */
export const ReceivedMessage = ContactMessage.extend({
  name: z.string(),
  email: z.string(),
  subject: z.string(),
  message: z.string(),
  receivedAt: Timestamp,
});
export type ReceivedMessage = z.infer<typeof ReceivedMessage>;

export const contact = contract('contact', {
  /** To the operator. Sent again, it is the same message. */
  send: request({ semantics: 'idempotent', input: SentMessage, output: ContactReceipt }),
  /** To a creator. Sent again, it is the same message. */
  relay: request({ semantics: 'idempotent', input: RelayedMessage, output: ContactReceipt }),
  /** How many messages wait for the caller. */
  countHeld: request({ semantics: 'safe', input: Nothing, output: HeldMessages }),
  /** The messages to the caller that are kept, the oldest first, `limits.messagesPage` at a time, from after the one named. */
  listReceived: request({
    semantics: 'safe',
    input: z.object({ after: z.object({ receivedAt: Timestamp, id: Id }).optional() }),
    output: z.object({ items: z.array(ReceivedMessage) }),
  }),
  /** Which of the caller's published links are dead. */
  readLinkHealth: request({ semantics: 'safe', input: Nothing, output: LinkHealth }),
  /** Asks for another look at one of them soon; `rate_limited` while the last such question is fresh. */
  checkLink: request({ semantics: 'idempotent', input: z.object({ id: Id }), output: LinkHealth }),
  /** All that is known of the caller's links by their ids, `limits.checkedLinksPage` at a time, from after the one named. */
  listCheckedLinks: request({
    semantics: 'safe',
    input: z.object({ after: Id.optional() }),
    output: z.object({ items: z.array(CheckedLink), next: Id.nullable() }),
  }),
  /** Links of a creator are found dead, and nobody has told them yet. */
  linksDied: event(DeadLinkFacts),
  /** The messages to and by a closed account are gone. */
  erased: event(ErasedAccount),
});
