import { z } from 'zod';
import { Id, Timestamp, Uid } from './fields.ts';
import { payeeOf } from './payees.ts';

/** A link that money goes through. Its name is the title of its offering, or what stands on it on a profile. */
export const PaymentLink = z
  .object({
    name: z.string(),
    url: z.string(),
    place: z
      .enum(['own'])
      .optional()
      .describe('Of a profile: `own` for one of its other links; absent for a payment link.'),
  })
  .meta({ id: 'PaymentLink' });
export type PaymentLink = z.infer<typeof PaymentLink>;

const changed = z.object({
  id: Id,
  at: Timestamp,
  offeringId: Id.nullable().describe('Whose payment link it is; null for the links of the profile.'),
  before: z.array(PaymentLink).describe('What visitors saw before; none where there was no link.'),
  after: z.array(PaymentLink).describe('What they were shown from then on.'),
});

/** A page of a creator leads to a payee that the account used nowhere in the last `limits.payeeDays`. */
export const LinkChangeFacts = changed.extend({
  uid: Uid,
  follows: z
    .boolean()
    .optional()
    .describe(
      'The payee came to another page of the account days ago, by a change that was mailed: this one is logged alone.',
    ),
});
export type LinkChangeFacts = z.infer<typeof LinkChangeFacts>;

/** The same as its owner reads it. */
export const LinkChange = changed
  .extend({ undoneAt: Timestamp.nullable().describe('When the links of before were put back.') })
  .meta({ id: 'LinkChange' });
export type LinkChange = z.infer<typeof LinkChange>;

export const LinkChangeList = z.object({ items: z.array(LinkChange) }).meta({ id: 'LinkChangeList' });
export type LinkChangeList = z.infer<typeof LinkChangeList>;

/** What is put back. An offering without a link of before is hidden. */
export const UndoneLinkChange = z
  .object({ offeringId: Id.nullable(), links: z.array(PaymentLink) })
  .meta({ id: 'UndoneLinkChange' });
export type UndoneLinkChange = z.infer<typeof UndoneLinkChange>;

/** The same for the service that owns the links. */
export const UndoneLinkChangeFacts = UndoneLinkChange.extend({
  uid: Uid,
  /** Whether `links` names the other links of a profile as well. A change of an older release names its payment links alone. */
  namesOwnLinks: z.boolean().optional(),
  /** Links that the account used by the changes that are taken back: they need a fresh log-in again. */
  distrusted: z.array(z.string()).optional(),
  /** When its owner took the change back; absent from an older release. */
  undoneAt: Timestamp.optional(),
});
export type UndoneLinkChangeFacts = z.infer<typeof UndoneLinkChangeFacts>;

/**
 * Whether a page was edited after its change was taken back, and leads to no payee of that change any more. Such links are
 * newer than the undo, which may arrive late, and stay. `links` are those of the page now.
 */
export function isNewerThanUndo(
  { undoneAt, distrusted = [] }: UndoneLinkChangeFacts,
  editedAt: Date,
  links: readonly string[],
): boolean {
  if (!undoneAt || editedAt.getTime() <= Date.parse(undoneAt)) return false;
  const payees = new Set(distrusted.map(payeeOf));
  return !links.some((link) => payees.has(payeeOf(link)));
}

/** A payee came to the public pages that a service owns, or left them. */
export const PayeeFacts = z.object({
  uid: Uid,
  payee: z.string().describe('As `payeeOf` spells it.'),
  since: Timestamp,
  endedAt: Timestamp.nullable().describe('Null while a public page leads to it.'),
  distrusted: z.boolean().describe('Whether its owner has taken it back.'),
  /** Of two facts about one payee that with the higher number is newer. */
  asOf: z.int(),
});
export type PayeeFacts = z.infer<typeof PayeeFacts>;
