import { z } from 'zod';
import { Id, Timestamp, Uid } from './fields.ts';

/** A link that money goes through. Its name is the title of its offering, or what stands on it on a profile. */
export const PaymentLink = z.object({ name: z.string(), url: z.string() }).meta({ id: 'PaymentLink' });
export type PaymentLink = z.infer<typeof PaymentLink>;

const changed = z.object({
  id: Id,
  at: Timestamp,
  offeringId: Id.nullable().describe('Whose payment link it is; null for the payment links of the profile.'),
  before: z.array(PaymentLink).describe('What visitors saw before.'),
  after: z.array(PaymentLink).describe('What they were shown from then on.'),
});

/** Payments to a creator were led to another host. */
export const LinkChangeFacts = changed.extend({ uid: Uid });
export type LinkChangeFacts = z.infer<typeof LinkChangeFacts>;

/** The same as its owner reads it. */
export const LinkChange = changed
  .extend({ undoneAt: Timestamp.nullable().describe('When the links of before were put back.') })
  .meta({ id: 'LinkChange' });
export type LinkChange = z.infer<typeof LinkChange>;

export const LinkChangeList = z.object({ items: z.array(LinkChange) }).meta({ id: 'LinkChangeList' });
export type LinkChangeList = z.infer<typeof LinkChangeList>;

/** What is put back. */
export const UndoneLinkChange = z
  .object({ offeringId: Id.nullable(), links: z.array(PaymentLink) })
  .meta({ id: 'UndoneLinkChange' });
export type UndoneLinkChange = z.infer<typeof UndoneLinkChange>;
