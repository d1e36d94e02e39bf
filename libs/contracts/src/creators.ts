import { z } from 'zod';
import { contract, event, request } from './contract.ts';
import { ErasedAccount } from './erasure.ts';
import {
  Cursor,
  EditedVersion,
  Id,
  Link,
  Nothing,
  pageOf,
  publicName,
  query,
  requiredLine,
  text,
  Timestamp,
  typedLink,
  Uid,
  Username,
  Version,
} from './fields.ts';
import { layoutLabels, niches, paletteLabels } from './choices.ts';
import { limits } from './limits.ts';
import { LinkChangeFacts, PayeeFacts } from './link-changes.ts';
import { LinkListing } from './link-health.ts';
import type { SocialNetwork } from './links.ts';
import { Picture, Thumbnail } from './pictures.ts';
import {
  AppealForm,
  Report,
  ReportReceipt,
  ReviewCase,
  ReviewCaseList,
  ReviewDecision,
  ReviewFacts,
  ReviewQuery,
  ReviewRecordPage,
  Takedown,
  TakedownList,
} from './reviews.ts';
import { completeSocialLink, isOffNetwork } from './typed-links.ts';
import { Day, Numbers, NumbersQuery, VisitCounts } from './visits.ts';

export const Niche = z.enum(niches).meta({ id: 'Niche' });
export type Niche = z.infer<typeof Niche>;

const palettes = Object.keys(paletteLabels) as (keyof typeof paletteLabels)[];
export const Palette = z.enum(palettes).meta({ id: 'Palette' });
export type Palette = z.infer<typeof Palette>;

const layouts = Object.keys(layoutLabels) as (keyof typeof layoutLabels)[];
export const Layout = z.enum(layouts).meta({ id: 'Layout' });
export type Layout = z.infer<typeof Layout>;

/** A payment link as it is read. Reading checks no rules, because a stored link may predate a rule. */
export const Paygate = z.object({ name: z.string(), url: z.string() }).meta({ id: 'Paygate' });
export type Paygate = z.infer<typeof Paygate>;

export const PaygateForm = z.object({ name: requiredLine(60), url: Link }).meta({ id: 'PaygateForm' });
export type PaygateForm = z.infer<typeof PaygateForm>;

/** Another link of a profile, as it is read. */
export const OwnLink = z
  .object({
    label: z.string(),
    url: z.string(),
    network: z
      .string()
      .nullable()
      .default(null)
      .describe('The network that owns the host of the link, if Stoa has an icon for it. Never stored.'),
  })
  .meta({ id: 'OwnLink' });
export type OwnLink = z.infer<typeof OwnLink>;

export const OwnLinkForm = z
  .object({ label: requiredLine(limits.linkLabelLength), url: Link })
  .meta({ id: 'OwnLinkForm' });
export type OwnLinkForm = z.infer<typeof OwnLinkForm>;

const read = z.string().nullable();
export const SocialLinks = z
  .object({ youtube: read, tiktok: read, instagram: read })
  .meta({ id: 'SocialLinks' });
export type SocialLinks = z.infer<typeof SocialLinks>;

const linkTo = (network: SocialNetwork, name: string) =>
  typedLink((typed) => completeSocialLink(network, typed))
    .refine((link) => !isOffNetwork(network, link), `Enter a link to ${name}.`)
    .meta({ minLength: 1, maxLength: limits.urlLength })
    .nullable();

export const SocialLinksForm = z
  .object({
    youtube: linkTo('youtube', 'YouTube'),
    tiktok: linkTo('tiktok', 'TikTok'),
    instagram: linkTo('instagram', 'Instagram'),
  })
  .meta({ id: 'SocialLinksForm' });
export type SocialLinksForm = z.infer<typeof SocialLinksForm>;

/** What 'Contact Me' opens: a mail to the creator's address, or a form that hides the address. */
export const ContactBy = z.enum(['email', 'form']).meta({ id: 'ContactBy' });
export type ContactBy = z.infer<typeof ContactBy>;

/** A creator as visitors see the profile. */
export const PublicCreator = z
  .object({
    uid: Uid,
    username: z.string(),
    displayName: z.string(),
    contactBy: ContactBy.describe("What 'Contact Me' opens: a mail, or a form that hides the address."),
    email: z.string().nullable().describe("The address behind 'Contact Me'. Null if it opens a form."),
    bio: z.string(),
    profileImage: Picture.nullable(),
    headerImage: Picture.nullable().describe('The wide picture above the profile.'),
    paygates: z.array(Paygate).describe("Links to the creator's payment pages."),
    socialLinks: SocialLinks,
    links: z.array(OwnLink).describe('Other links, in the order that the creator chose.'),
    niches: z.array(Niche),
    palette: Palette.describe("The colours of the creator's public pages."),
    layout: Layout.describe('The layout of the offerings on the profile.'),
    offeringCount: z.int().nonnegative(),
    createdAt: Timestamp,
  })
  .meta({ id: 'PublicCreator' });
export type PublicCreator = z.infer<typeof PublicCreator>;

/** A creator as the owner sees the profile. */
export const Creator = PublicCreator.extend({
  email: z.string(),
  emailVerified: z
    .boolean()
    .describe(
      'Whether the owner of the address has opened the mailed link. Until then the address gets no other mail.',
    ),
  published: z
    .boolean()
    .describe('Whether the profile was saved with a way of contact. Before, only its owner sees it.'),
  isPublic: z
    .boolean()
    .describe(
      'Whether visitors see the profile: it is published and, if the site requires it, the address is confirmed.',
    ),
  takenDown: z.boolean().describe('Whether an operator has hidden the profile. Then only its owner sees it.'),
  updatedAt: Timestamp,
  version: Version.describe('Grows with each change.'),
}).meta({ id: 'Creator' });
export type Creator = z.infer<typeof Creator>;

export const CreatorCard = PublicCreator.pick({
  uid: true,
  username: true,
  displayName: true,
  profileImage: true,
  niches: true,
  offeringCount: true,
})
  .extend({
    bioPreview: z.string().describe('The first 75 characters of the bio. Empty without a bio.'),
    thumbnails: z
      .array(Thumbnail)
      .max(limits.cardThumbnails)
      .optional()
      .describe('Covers of the first offerings. Absent while the offerings cannot be read.'),
  })
  .meta({ id: 'CreatorCard' });
export type CreatorCard = z.infer<typeof CreatorCard>;

const profileFields = z.object({
  displayName: publicName(limits.displayNameLength),
  bio: text(limits.bioLength),
  paygates: z.array(PaygateForm).max(limits.paygates, `At most ${limits.paygates} payment links.`),
  socialLinks: SocialLinksForm,
  niches: z
    .array(Niche)
    .max(6)
    .refine((niches) => new Set(niches).size === niches.length, 'Each niche only once.'),
  contactBy: ContactBy.describe('Absent keeps the value. Any value publishes the profile.').optional(),
  palette: Palette.describe('Absent keeps the value.').optional(),
  layout: Layout.describe('Absent keeps the value.').optional(),
  links: z
    .array(OwnLinkForm)
    .max(limits.ownLinks, `At most ${limits.ownLinks} links.`)
    .describe('Absent keeps the links.')
    .optional(),
});

export const ProfileForm = profileFields
  .extend({
    profileImageId: Id.describe('A completed upload. Null removes the picture, absent keeps it.').nullish(),
    headerImageId: Id.describe(
      'A completed upload for the wide picture. Null removes it, absent keeps it.',
    ).nullish(),
  })
  .meta({ id: 'ProfileForm' });
export type ProfileForm = z.infer<typeof ProfileForm>;

/** A `ProfileForm` after the gateway has resolved the pictures with the media service. */
export const ProfileChanges = profileFields.extend({
  profileImage: Picture.nullish(),
  headerImage: Picture.nullish(),
  editedVersion: EditedVersion,
});
export type ProfileChanges = z.infer<typeof ProfileChanges>;

export const BrowseQuery = z
  .object({
    search: query(limits.searchLength)
      .describe(
        'Part of a name, a bio or the title of an offering. One or two letters match only the beginning of a word.',
      )
      .optional(),
    niche: Niche.describe('Only creators of this niche.').optional(),
    cursor: Cursor.describe('The `nextCursor` of the previous page.').optional(),
    limit: z.int().min(1).max(60).default(limits.browsePageSize),
  })
  .meta({ id: 'BrowseQuery' });
export type BrowseQuery = z.infer<typeof BrowseQuery>;

export const CreatorPage = pageOf(CreatorCard).meta({ id: 'CreatorPage' });
export type CreatorPage = z.infer<typeof CreatorPage>;

/** The destination of mail to a creator. The gateway passes it to the contact service and never sends it over HTTP. */
export const Mailbox = z.object({
  uid: Uid,
  username: Username,
  displayName: z.string(),
  /** Without control characters, which could start another mail header. */
  email: z
    .string()
    .min(1)
    .max(320)
    .regex(/^\P{Cc}+$/u),
  /** Mail to an unverified address waits. */
  emailVerified: z.boolean(),
});
export type Mailbox = z.infer<typeof Mailbox>;

export const CreatorName = PublicCreator.pick({ username: true, displayName: true }).meta({
  id: 'CreatorName',
});
export type CreatorName = z.infer<typeof CreatorName>;

export const ProfileEntry = z.object({ uid: Uid, username: z.string(), updatedAt: Timestamp });
export type ProfileEntry = z.infer<typeof ProfileEntry>;

/** The digest of a username that no account may take (`usernameDigest` of libs/platform). Null `until` is permanent. */
export const ReservedUsername = z.object({ digest: z.string(), until: Timestamp.nullable() });
export type ReservedUsername = z.infer<typeof ReservedUsername>;

export const CreatorFacts = z.object({
  uid: Uid,
  username: z.string(),
  displayName: z.string(),
  profileImageId: Id.nullable(),
  headerImageId: Id.nullable(),
  version: Version,
});
export type CreatorFacts = z.infer<typeof CreatorFacts>;

export const creators = contract('creators', {
  /** Creates the caller's record on the first call (`isNew`). Later calls only read it. */
  open: request({
    semantics: 'idempotent',
    input: Nothing,
    output: z.object({ creator: Creator, isNew: z.boolean() }),
  }),
  readOwn: request({ semantics: 'safe', input: Nothing, output: Creator }),
  update: request({ semantics: 'idempotent', input: ProfileChanges, output: Creator }),
  browse: request({ semantics: 'safe', input: BrowseQuery, output: CreatorPage }),
  find: request({
    semantics: 'safe',
    input: z.object({ username: requiredLine(60) }),
    output: PublicCreator,
  }),
  /** Lists the public profiles of these usernames in no particular order. It omits unknown names. */
  findMany: request({
    semantics: 'safe',
    input: z.object({
      usernames: z
        .array(
          z
            .string()
            .max(60)
            .regex(/^\P{Cc}*$/u),
        )
        .max(limits.batchSize),
    }),
    output: z.object({ items: z.array(PublicCreator) }),
  }),
  /** Whether a username is reserved because a closed account had it. */
  checkUsername: request({
    semantics: 'safe',
    input: z.object({ username: requiredLine(60) }),
    output: z.object({ isReserved: z.boolean() }),
  }),
  /** Finds the name of a creator with a public profile. */
  findName: request({ semantics: 'safe', input: z.object({ uid: Uid }), output: CreatorName }),
  /** Finds the mailbox of a creator with a contact form; `conflict` for a creator with a public address. */
  findMailbox: request({
    semantics: 'safe',
    input: z.object({ username: requiredLine(60) }),
    output: Mailbox,
  }),
  /** Lists up to `limits.sitemapPart` profiles after `after`, for one file of the sitemap. */
  listProfiles: request({
    semantics: 'safe',
    input: z.object({ after: Cursor.optional() }),
    output: z.object({ items: z.array(ProfileEntry) }),
  }),
  /** Lists the `after` positions with which `listProfiles` covers all profiles. Empty if the first page holds all. */
  surveyProfiles: request({
    semantics: 'safe',
    input: Nothing,
    output: z.object({ positions: z.array(Cursor) }),
  }),
  readNumbers: request({ semantics: 'safe', input: NumbersQuery, output: Numbers }),
  /** Lists the stored visit counts of the days from `from` to `to`, both included. */
  listVisits: request({ semantics: 'safe', input: z.object({ from: Day, to: Day }), output: VisitCounts }),
  report: request({ semantics: 'idempotent', input: Report, output: ReportReceipt }),
  /** Lists a page of the moderation queue. Only operators may send it. */
  listCases: request({ semantics: 'safe', input: ReviewQuery, output: ReviewCaseList }),
  /**
   * Records an operator's decision about a case; `conflict` if the status of the case does not allow it. Only
   * operators may send it.
   */
  decide: request({
    semantics: 'idempotent',
    input: ReviewDecision.extend({ id: Id }),
    output: ReviewCase,
  }),
  listTakedowns: request({ semantics: 'safe', input: Nothing, output: TakedownList }),
  /** Lists the decided cases about the caller's pages, closed ones included, latest first. */
  listRecords: request({
    semantics: 'safe',
    input: z.object({ cursor: Cursor.optional() }),
    output: ReviewRecordPage,
  }),
  /** Requests a review of a takedown; `conflict` if the caller has already appealed. */
  appeal: request({ semantics: 'idempotent', input: AppealForm.extend({ id: Id }), output: Takedown }),
  opened: event(CreatorFacts),
  changed: event(CreatorFacts),
  /** The profile is deleted with its account. The version is higher than that of any change. */
  removed: event(CreatorFacts),
  /** The number of a creator's public offerings has changed. */
  counted: event(z.object({ uid: Uid, offeringCount: z.int() })),
  /** A link of a public profile leads to a payee that is new to the account. */
  paymentsMoved: event(LinkChangeFacts),
  payeeNoted: event(PayeeFacts),
  /** The links on the public profile, as of a version of the profile. */
  linksListed: event(LinkListing),
  /** The username of a closed account is reserved. It is republished regularly, so that a month of events holds all. */
  usernameReserved: event(ReservedUsername),
  /** An operator has hidden a page, restored it or rejected an appeal. */
  reviewed: event(ReviewFacts),
  /** The profile of a closed account is deleted, if it had one. */
  erased: event(ErasedAccount),
});
