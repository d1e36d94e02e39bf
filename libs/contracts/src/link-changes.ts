import { z } from 'zod';
import { Id, Timestamp, Uid } from './fields.ts';
import { payeeOf } from './payees.ts';

/** A link that visitors may pay through. Its name is the offering's title or, on a profile, the label of the link. */
export const PaymentLink = z
  .object({
    name: z.string(),
    url: z.string(),
    place: z
      .enum(['own'])
      .optional()
      .describe('On a profile, `own` marks one of the other links. Absent for a payment link.'),
  })
  .meta({ id: 'PaymentLink' });
export type PaymentLink = z.infer<typeof PaymentLink>;

const changed = z.object({
  id: Id,
  at: Timestamp,
  offeringId: Id.nullable().describe('The offering of the payment link. Null for the links of the profile.'),
  before: z.array(PaymentLink).describe('The links before the change. Empty without a link.'),
  after: z.array(PaymentLink).describe('The links after the change.'),
});

/** A page of a creator leads to a payee that no page of the account used in the last `limits.payeeDays` days. */
export const LinkChangeFacts = changed.extend({
  uid: Uid,
  follows: z
    .boolean()
    .describe(
      'Whether an earlier mailed change brought the payee to another page of the account. Then this change is only logged.',
    ),
});
export type LinkChangeFacts = z.infer<typeof LinkChangeFacts>;

export const LinkChange = changed
  .extend({ undoneAt: Timestamp.nullable().describe('When the earlier links were restored.') })
  .meta({ id: 'LinkChange' });
export type LinkChange = z.infer<typeof LinkChange>;

export const LinkChangeList = z.object({ items: z.array(LinkChange) }).meta({ id: 'LinkChangeList' });
export type LinkChangeList = z.infer<typeof LinkChangeList>;

/** The restored links. An offering that had no link becomes a draft. */
export const UndoneLinkChange = z
  .object({ offeringId: Id.nullable(), links: z.array(PaymentLink) })
  .meta({ id: 'UndoneLinkChange' });
export type UndoneLinkChange = z.infer<typeof UndoneLinkChange>;

/** An undone change for the service that owns the links. */
export const UndoneLinkChangeFacts = UndoneLinkChange.extend({
  uid: Uid,
  /** Whether the change included the profile's other links. Only then the service restores these too. */
  namesOwnLinks: z.boolean(),
  /** The new links of the undone changes. To use them again needs a recent log-in. */
  distrusted: z.array(z.string()),
  undoneAt: Timestamp,
});
export type UndoneLinkChangeFacts = z.infer<typeof UndoneLinkChangeFacts>;

/**
 * Whether the page was edited after the undo and leads to no distrusted payee. The undo may arrive late; such an edit is
 * newer and stays. `links` are the page's present links.
 */
export function isNewerThanUndo(
  { undoneAt, distrusted }: UndoneLinkChangeFacts,
  editedAt: Date,
  links: readonly string[],
): boolean {
  if (editedAt.getTime() <= Date.parse(undoneAt)) return false;
  const payees = new Set(distrusted.map(payeeOf));
  return !links.some((link) => payees.has(payeeOf(link)));
}

/** A payee has appeared on the public pages of one service, or disappeared from them. */
export const PayeeFacts = z.object({
  uid: Uid,
  payee: z.string().describe('Normalized by `payeeOf`.'),
  since: Timestamp,
  endedAt: Timestamp.nullable().describe('Null while a public page leads to the payee.'),
  distrusted: z.boolean().describe('Whether the owner of the account has undone the change to the payee.'),
  /** Of two facts about a payee, the one with the higher number is newer. */
  asOf: z.int(),
});
export type PayeeFacts = z.infer<typeof PayeeFacts>;
