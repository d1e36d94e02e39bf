import { z } from 'zod';
import { Id, Timestamp, Uid, Version } from './fields.ts';

const kinds = ['payment', 'support', 'social', 'link'] as const;
/** The purpose of a link. A kind of a later release is read as `link`. */
export const LinkKind = z.enum(kinds).catch('link').meta({ id: 'LinkKind' });
export type LinkKind = (typeof kinds)[number];

export const ListedLink = z.object({
  kind: LinkKind,
  label: z.string(),
  url: z.string(),
});
export type ListedLink = z.infer<typeof ListedLink>;

/** All links on a public page, as of a version of the page. Empty once the page is hidden. */
export const LinkListing = z.object({
  uid: Uid,
  offeringId: Id.nullable(),
  title: z.string(),
  version: Version,
  links: z.array(ListedLink),
  isPublic: z
    .boolean()
    .describe('Whether visitors see the page. A sold-out offering is public but has no link to follow.'),
});
export type LinkListing = z.infer<typeof LinkListing>;

const findings = [
  'not_found',
  'gone',
  'no_such_host',
  'refused',
  'timeout',
  'certificate_expired',
  'other',
] as const;
/** The reason why a check of a link failed. A reason of a later release is read as `other`. */
export const LinkFinding = z.enum(findings).catch('other').meta({ id: 'LinkFinding' });
export type LinkFinding = (typeof findings)[number];

const onPage = ListedLink.extend({
  offeringId: Id.nullable().describe('The offering that shows the link. Null for the profile.'),
  title: z.string().describe('The title of that offering. Empty for the profile.'),
});

/** A link that has failed `limits.deadLinkLooks` checks, hours apart. */
export const DeadLink = onPage
  .extend({
    id: Id,
    finding: LinkFinding.describe('The result of the last check.'),
    since: Timestamp.describe('The time of the first failed check.'),
    lookedAt: Timestamp.describe('The time of the last check.'),
    isQueued: z.boolean().describe('Whether a check that the owner requested is pending.'),
  })
  .meta({ id: 'DeadLink' });
export type DeadLink = z.infer<typeof DeadLink>;

export const LinkHealth = z
  .object({ items: z.array(DeadLink).describe('The links that have failed longest come first.') })
  .meta({ id: 'LinkHealth' });
export type LinkHealth = z.infer<typeof LinkHealth>;

/** The check results of a link, for the export of an account. */
export const CheckedLink = onPage.extend({
  failures: z.int().nonnegative(),
  finding: LinkFinding.nullable(),
  failingSince: Timestamp.nullable(),
  deadSince: Timestamp.nullable(),
  lookedAt: Timestamp.nullable(),
});
export type CheckedLink = z.infer<typeof CheckedLink>;

/** Dead links that no mail has reported yet. */
export const DeadLinkFacts = z.object({
  id: Id,
  uid: Uid,
  at: Timestamp,
  links: z.array(onPage.extend({ finding: LinkFinding })),
});
export type DeadLinkFacts = z.infer<typeof DeadLinkFacts>;
