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
import { defaultLayout, defaultPalette } from './facts.ts';
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
import { completeSocialLink, leadsElsewhere } from './typed-links.ts';
import { Day, Numbers, NumbersQuery, VisitCounts } from './visits.ts';

export const Niche = z.enum(niches).meta({ id: 'Niche' });
export type Niche = z.infer<typeof Niche>;

const palettes = Object.keys(paletteLabels) as (keyof typeof paletteLabels)[];
export const Palette = z.enum(palettes).meta({ id: 'Palette' });
export type Palette = z.infer<typeof Palette>;

const layouts = Object.keys(layoutLabels) as (keyof typeof layoutLabels)[];
export const Layout = z.enum(layouts).meta({ id: 'Layout' });
export type Layout = z.infer<typeof Layout>;

/** As it is read: a rule that became stricter makes nothing unreadable that was stored before. */
export const Paygate = z.object({ name: z.string(), url: z.string() }).meta({ id: 'Paygate' });
export type Paygate = z.infer<typeof Paygate>;

/** As it is saved. */
export const PaygateForm = z.object({ name: requiredLine(60), url: Link }).meta({ id: 'PaygateForm' });
export type PaygateForm = z.infer<typeof PaygateForm>;

/** A link of the creator's own choice, as it is read. */
export const OwnLink = z
  .object({
    label: z.string(),
    url: z.string(),
    network: z
      .string()
      .nullable()
      .default(null)
      .describe('The network whose own host it leads to, if that has an icon. Never stored.'),
  })
  .meta({ id: 'OwnLink' });
export type OwnLink = z.infer<typeof OwnLink>;

/** As it is saved. */
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
    .refine((link) => !leadsElsewhere(network, link), `Enter a link to ${name}.`)
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

/** What 'Contact Me' does: opens a mail to the creator's address, or a form that keeps the address hidden. */
export const ContactBy = z.enum(['email', 'form']).meta({ id: 'ContactBy' });
export type ContactBy = z.infer<typeof ContactBy>;

/** A creator as their profile shows them to everybody. */
export const PublicCreator = z
  .object({
    uid: Uid,
    username: z.string(),
    displayName: z.string(),
    contactBy: ContactBy.describe("What 'Contact Me' does: opens a mail, or a form that hides the address."),
    email: z.string().nullable().describe("The address behind 'Contact Me'; null where that is a form."),
    bio: z.string(),
    profileImage: Picture.nullable(),
    headerImage: Picture.nullable().describe('The wide picture above the profile.'),
    paygates: z.array(Paygate).describe('Links to where the creator is paid.'),
    socialLinks: SocialLinks,
    links: z.array(OwnLink).default([]).describe('Other links, in the order of the creator.'),
    niches: z.array(Niche),
    palette: Palette.default(defaultPalette).describe("The colours of the creator's public pages."),
    layout: Layout.default(defaultLayout).describe('How the offerings stand on the profile.'),
    offeringCount: z.int().nonnegative(),
    createdAt: Timestamp,
  })
  .meta({ id: 'PublicCreator' });
export type PublicCreator = z.infer<typeof PublicCreator>;

/** A creator as they see themselves. */
export const Creator = PublicCreator.extend({
  email: z.string(),
  emailVerified: z
    .boolean()
    .default(false)
    .describe(
      'Whether the address was proved by a link that was mailed to it; until then it gets no other mail.',
    ),
  published: z
    .boolean()
    .default(true)
    .describe('Whether the profile has been saved with a way of contact; nobody else sees it before.'),
  isPublic: z
    .boolean()
    .default(true)
    .describe(
      'Whether visitors find the profile: once it is published and, where the site asks for it, the address proved.',
    ),
  takenDown: z
    .boolean()
    .default(false)
    .describe('Whether an operator has hidden the profile: nobody else sees it then.'),
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
    bioPreview: z.string().describe('At most the first 75 characters of the bio; empty without one.'),
    thumbnails: z
      .array(Thumbnail)
      .max(limits.cardThumbnails)
      .optional()
      .describe('Covers of their first offerings; absent while those cannot be read.'),
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
  contactBy: ContactBy.describe('Absent keeps what it was. Naming it publishes the profile.').optional(),
  palette: Palette.describe('Absent keeps what it was.').optional(),
  layout: Layout.describe('Absent keeps what it was.').optional(),
  links: z
    .array(OwnLinkForm)
    .max(limits.ownLinks, `At most ${limits.ownLinks} links.`)
    .describe('Absent keeps what they were.')
    .optional(),
});

export const ProfileForm = profileFields
  .extend({
    profileImageId: Id.describe('A completed upload; null removes the picture, absent keeps it.').nullish(),
    headerImageId: Id.describe('The same for the wide picture above the profile.').nullish(),
  })
  .meta({ id: 'ProfileForm' });
export type ProfileForm = z.infer<typeof ProfileForm>;

/** The same for the service, the pictures resolved by media. */
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
        'Part of a name, a bio or the title of an offering; one or two letters find words that begin with them.',
      )
      .optional(),
    niche: Niche.describe('Only creators of this niche.').optional(),
    cursor: Cursor.describe('The `nextCursor` of the page before.').optional(),
    limit: z.int().min(1).max(60).default(limits.browsePageSize),
  })
  .meta({ id: 'BrowseQuery' });
export type BrowseQuery = z.infer<typeof BrowseQuery>;

export const CreatorPage = pageOf(CreatorCard).meta({ id: 'CreatorPage' });
export type CreatorPage = z.infer<typeof CreatorPage>;

/** Where mail for a creator goes. For the gateway to hand to contact; never part of an answer over HTTP. */
export const Mailbox = z.object({
  uid: Uid,
  username: Username,
  displayName: z.string(),
  /** Nothing that could begin another header of a mail. */
  email: z
    .string()
    .min(1)
    .max(320)
    .regex(/^\P{Cc}+$/u),
  /** Mail for an unverified address waits. */
  emailVerified: z.boolean().default(false),
});
export type Mailbox = z.infer<typeof Mailbox>;

/** What a creator is called, and where their profile is. */
export const CreatorName = PublicCreator.pick({ username: true, displayName: true }).meta({
  id: 'CreatorName',
});
export type CreatorName = z.infer<typeof CreatorName>;

/** What a search engine needs to know of a profile. */
export const ProfileEntry = z.object({ uid: Uid, username: z.string(), updatedAt: Timestamp });
export type ProfileEntry = z.infer<typeof ProfileEntry>;

/** A username that nobody may take, by its digest (`usernameDigest` of libs/platform): for good where `until` is null. */
export const ReservedUsername = z.object({ digest: z.string(), until: Timestamp.nullable() });
export type ReservedUsername = z.infer<typeof ReservedUsername>;

export const CreatorFacts = z.object({
  uid: Uid,
  username: z.string(),
  displayName: z.string(),
  profileImageId: Id.nullable(),
  /** Absent in what a replica of the release before announces, which is not that there is none. */
  headerImageId: Id.nullable().optional(),
  version: Version,
});
export type CreatorFacts = z.infer<typeof CreatorFacts>;

export const creators = contract('creators', {
  /** Makes the caller's record on their first call, and says so; later calls only read it. */
  open: request({
    semantics: 'idempotent',
    input: Nothing,
    output: z.object({ creator: Creator, isNew: z.boolean() }),
  }),
  readOwn: request({ semantics: 'safe', labels: ['version'], input: Nothing, output: Creator }),
  update: request({ semantics: 'idempotent', labels: ['version'], input: ProfileChanges, output: Creator }),
  browse: request({ semantics: 'safe', input: BrowseQuery, output: CreatorPage }),
  find: request({
    semantics: 'safe',
    labels: ['uid', 'username'],
    input: z.object({ username: requiredLine(60) }),
    output: PublicCreator,
  }),
  /** The public profiles there are for these names, in no order; unknown names are left out. */
  findMany: request({
    semantics: 'safe',
    labels: ['uid', 'username'],
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
  /** Whether nobody may take a username because a closed account had it. */
  checkUsername: request({
    semantics: 'safe',
    input: z.object({ username: requiredLine(60) }),
    output: z.object({ isReserved: z.boolean() }),
  }),
  /** Of a creator with a public profile. */
  findName: request({ semantics: 'safe', input: z.object({ uid: Uid }), output: CreatorName }),
  /** The mailbox of a creator who takes mail by form; `conflict` for one whose address is public anyway. */
  findMailbox: request({
    semantics: 'safe',
    input: z.object({ username: requiredLine(60) }),
    output: Mailbox,
  }),
  /** The profiles of one part of the sitemap, which begins at `after`: at most `limits.sitemapPart`. */
  listProfiles: request({
    semantics: 'safe',
    input: z.object({ after: Cursor.optional() }),
    output: z.object({ items: z.array(ProfileEntry) }),
  }),
  /** The positions after which `listProfiles` walks everybody; none where the part without a position holds all. */
  surveyProfiles: request({
    semantics: 'safe',
    input: Nothing,
    output: z.object({ positions: z.array(Cursor) }),
  }),
  /** How often the caller's pages were looked at. */
  readNumbers: request({ semantics: 'safe', input: NumbersQuery, output: Numbers }),
  /** The same as it is kept, of the days from `from` to `to`. */
  listVisits: request({ semantics: 'safe', input: z.object({ from: Day, to: Day }), output: VisitCounts }),
  /** Keeps what a visitor says of a public page. Sent again, it is the same report. */
  report: request({ semantics: 'idempotent', input: Report, output: ReportReceipt }),
  /** For operators. */
  listCases: request({ semantics: 'safe', input: ReviewQuery, output: ReviewCaseList }),
  /** For operators. `conflict` where the case is past it. */
  decide: request({
    semantics: 'idempotent',
    input: ReviewDecision.extend({ id: Id }),
    output: ReviewCase,
  }),
  /** What of the caller's an operator has hidden. */
  listTakedowns: request({ semantics: 'safe', input: Nothing, output: TakedownList }),
  /** Every case about the caller's pages that was decided, the latest first: page by page, also those that are over. */
  listRecords: request({
    semantics: 'safe',
    input: z.object({ cursor: Cursor.optional() }),
    output: ReviewRecordPage,
  }),
  /** Asks for one of them to be looked at again; `conflict` for one that was appealed before. */
  appeal: request({ semantics: 'idempotent', input: AppealForm.extend({ id: Id }), output: Takedown }),
  opened: event(CreatorFacts),
  changed: event(CreatorFacts),
  /** The profile is gone with its account; the version is one that no change had. */
  removed: event(CreatorFacts),
  /** The number of a creator's offerings, after it changed. */
  counted: event(z.object({ uid: Uid, offeringCount: z.int() })),
  /** A link of a published profile leads to a payee that is new to the account. */
  paymentsMoved: event(LinkChangeFacts),
  payeeNoted: event(PayeeFacts),
  /** The links that visitors see on a profile, as of a version of it. */
  linksListed: event(LinkListing),
  /** Nobody may take the username of a closed account. Repeated from time to time, so that the events of a month hold all. */
  usernameReserved: event(ReservedUsername),
  /** An operator has hidden a page, shown it again, or said no to an appeal. */
  reviewed: event(ReviewFacts),
  /** The profile of a closed account is gone, if there was one. */
  erased: event(ErasedAccount),
});
