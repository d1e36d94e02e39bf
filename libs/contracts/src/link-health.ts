import { z } from 'zod';
import { Id, Timestamp, Uid, Version } from './fields.ts';

const kinds = ['payment', 'support', 'social', 'link'] as const;
/** What a link is for. A kind that a later release invents is one among others. */
export const LinkKind = z.enum(kinds).catch('link').meta({ id: 'LinkKind' });
export type LinkKind = (typeof kinds)[number];

export const ListedLink = z.object({
  kind: LinkKind,
  label: z.string(),
  url: z.string(),
});
export type ListedLink = z.infer<typeof ListedLink>;

/** All links that visitors are shown on one page, as of this version of it; none once it is hidden. */
export const LinkListing = z.object({
  uid: Uid,
  offeringId: Id.nullable(),
  title: z.string(),
  version: Version,
  links: z.array(ListedLink),
  isPublic: z
    .boolean()
    .optional()
    .describe('Whether visitors see the page, also where nobody follows its links, as of what is sold out.'),
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
/** What was seen when a link did not work. */
export const LinkFinding = z.enum(findings).catch('other').meta({ id: 'LinkFinding' });
export type LinkFinding = (typeof findings)[number];

const onPage = ListedLink.extend({
  offeringId: Id.nullable().describe('The offering it stands on; null for the profile.'),
  title: z.string().describe('What that offering is called; empty for the profile.'),
});

/** A link that failed several looks, hours apart. */
export const DeadLink = onPage
  .extend({
    id: Id,
    finding: LinkFinding.describe('What was seen last.'),
    since: Timestamp.describe('When it failed first.'),
    lookedAt: Timestamp.describe('When it was looked at last.'),
    isQueued: z.boolean().describe('Whether its owner has asked for another look that is still to come.'),
  })
  .meta({ id: 'DeadLink' });
export type DeadLink = z.infer<typeof DeadLink>;

export const LinkHealth = z
  .object({ items: z.array(DeadLink).describe('What has failed longest first.') })
  .meta({ id: 'LinkHealth' });
export type LinkHealth = z.infer<typeof LinkHealth>;

/** All that is known of a link, for its owner's export. */
export const CheckedLink = onPage.extend({
  failures: z.int().nonnegative(),
  finding: LinkFinding.nullable(),
  failingSince: Timestamp.nullable(),
  deadSince: Timestamp.nullable(),
  lookedAt: Timestamp.nullable(),
});
export type CheckedLink = z.infer<typeof CheckedLink>;

/** Links that its owner has not been told of yet. */
export const DeadLinkFacts = z.object({
  id: Id,
  uid: Uid,
  at: Timestamp,
  links: z.array(onPage.extend({ finding: LinkFinding })),
});
export type DeadLinkFacts = z.infer<typeof DeadLinkFacts>;
