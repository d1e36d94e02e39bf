import { z } from 'zod';
import { contract, event, request } from './contract.ts';
import { ErasedAccount } from './erasure.ts';
import { CreatorCard, CreatorName } from './creators.ts';
import {
  EditedVersion,
  Id,
  Link,
  Nothing,
  requiredLine,
  text,
  Timestamp,
  Uid,
  uuid,
  Version,
} from './fields.ts';
import { offeringStateLabels } from './choices.ts';
import { DeliveryKey, PresentedKey } from './delivery-keys.ts';
import { DeliveredFile, FileChange, FileChoices } from './files.ts';
import { limits } from './limits.ts';
import { LinkChangeFacts, PayeeFacts } from './link-changes.ts';
import { LinkListing } from './link-health.ts';
import { offeringTypeLabels } from './offering-types.ts';
import { Picture, Thumbnail } from './pictures.ts';
import { ReviewedContent } from './reviews.ts';
import { saleRequests } from './sales.ts';
import { endOf, Schedule, ScheduleForm, Seats } from './schedules.ts';

const types = Object.keys(offeringTypeLabels) as (keyof typeof offeringTypeLabels)[];
export const OfferingType = z.enum(types).meta({ id: 'OfferingType' });
export type OfferingType = z.infer<typeof OfferingType>;

/** The type of a stored offering. Empty if this release does not know the type. */
export const RecordedType = OfferingType.or(z.literal('')).meta({ id: 'RecordedType' });
export type RecordedType = z.infer<typeof RecordedType>;

const states = Object.keys(offeringStateLabels) as (keyof typeof offeringStateLabels)[];
export const OfferingState = z.enum(states).meta({ id: 'OfferingState' });
export type OfferingState = z.infer<typeof OfferingState>;

/** An offering as visitors see it. A default replaces a stored value that this release cannot read. */
export const PublicOffering = z
  .object({
    id: Id,
    creatorId: Uid,
    title: z.string(),
    price: z.string().describe('Free text: "R150", "from $20".'),
    description: z.string(),
    type: RecordedType.default('').describe('Empty if unknown. Pages then show “General”.'),
    paymentUrl: z.string().describe('The page where buyers pay.'),
    coverImage: Picture.nullable().default(null),
    state: OfferingState.describe(
      'Visitors see published and sold-out offerings. A sold-out offering has no link to pay.',
    ),
    slug: z
      .string()
      .describe('Its part of the address /profile/{username}/{slug}. It changes with the title.'),
    createdAt: Timestamp,
    publishedAt: Timestamp.nullable().describe('The time of the first publication. Null before it.'),
    schedule: Schedule.nullable().describe('The dates of a workshop. Null without dates.'),
    seats: z
      .int()
      .nonnegative()
      .nullable()
      .describe('The free seats of a workshop, as its creator states them. With 0 it is sold out.'),
  })
  .meta({ id: 'PublicOffering' });
export type PublicOffering = z.infer<typeof PublicOffering>;

/** The content of an offering for buyers. Each part may be absent. */
const delivered = {
  files: z.array(DeliveredFile).describe('The files for buyers, in display order.'),
  deliveryText: z.string().describe('The text for buyers.'),
  deliveryUrl: z.string().nullable().describe('The link for buyers.'),
};

// A response holds all offerings of a creator, so the length in code units is limited too.
const deliveryForm = {
  deliveryText: text(limits.deliveryTextLength)
    .refine((value) => value.length <= 2 * limits.deliveryTextLength, 'This text is too long.')
    .describe('The text for buyers. Absent keeps the text.')
    .optional(),
  deliveryUrl: Link.describe('The link for buyers. Null removes the link, absent keeps it.').nullish(),
};

/** An offering as its owner sees it. */
export const Offering = PublicOffering.extend({
  productUrl: z.string().nullable().describe("A link to the product for the creator's own reference."),
  ...delivered,
  deliveryKey: DeliveryKey.describe('The secret that opens the download page without an account.'),
  sharedLink: z
    .boolean()
    .default(true)
    .describe('Whether `deliveryKey` opens the page. If not, only the keys of sales do.'),
  takenDown: z
    .boolean()
    .describe('Whether an operator has hidden it. Then only its owner sees it, in any state.'),
  updatedAt: Timestamp,
  version: Version.describe('Grows with each change.'),
}).meta({ id: 'Offering' });
export type Offering = z.infer<typeof Offering>;

const written = {
  title: requiredLine(limits.titleLength),
  description: text(limits.descriptionLength),
  price: requiredLine(limits.priceLength).describe('Free text: "R150", "from $20".'),
  paymentUrl: Link.describe('The page where buyers pay.'),
  productUrl: Link.describe("A link to the product for the creator's own reference.").nullish(),
};

/**
 * The names of the texts and links of an offering, which a duplicate copies. Operators see the public ones. The name of
 * each link ends with `Url`.
 */
export const writtenFields = Object.keys(written) as (keyof typeof written)[];

const offeringFields = z.object({
  ...written,
  type: OfferingType,
  state: OfferingState.describe('Absent keeps the state. A new offering is published.').optional(),
  ...deliveryForm,
  sharedLink: z
    .boolean()
    .describe('Whether the shared delivery key opens the download page. Absent keeps the choice.')
    .optional(),
  schedule: ScheduleForm.describe(
    'The dates of a workshop. Null removes them, absent keeps them. Other types ignore them.',
  ).nullish(),
  seats: Seats.describe(
    'The free seats of a workshop. Null removes them, absent keeps them. Other types ignore them.',
  ).nullish(),
});

export const NewOfferingForm = offeringFields
  .extend({
    id: Id.describe(
      "Generated by the creator's browser. A repeat with the same id creates one offering. Without an id each request creates an offering.",
    ).optional(),
    coverImageId: uuid('Please select a cover image.').describe('A completed upload.'),
    files: FileChoices.describe('The files for buyers, in display order.').optional(),
  })
  .meta({ id: 'NewOfferingForm' });
export type NewOfferingForm = z.infer<typeof NewOfferingForm>;

export const OfferingForm = offeringFields
  .extend({
    coverImageId: Id.describe('A completed upload. Absent keeps the cover.').optional(),
    files: FileChoices.describe('All files for buyers, in display order. Absent keeps the files.').optional(),
  })
  .meta({ id: 'OfferingForm' });
export type OfferingForm = z.infer<typeof OfferingForm>;

export const NewOffering = offeringFields.extend({
  id: Id.optional(),
  coverImage: Picture,
  files: z.array(FileChange).max(limits.offeringFiles).optional(),
});
export type NewOffering = z.infer<typeof NewOffering>;

export const OfferingChanges = offeringFields.extend({
  id: Id,
  coverImage: Picture.optional(),
  files: z.array(FileChange).max(limits.offeringFiles).optional(),
  editedVersion: EditedVersion,
});
export type OfferingChanges = z.infer<typeof OfferingChanges>;

export const OfferingList = z
  .object({
    items: z.array(Offering),
    pinnedId: Id.nullable().describe('The offering at the top, regardless of the order. Null without one.'),
    version: Version.describe('The version of the order. It does not grow with changes of offerings.'),
  })
  .meta({ id: 'OfferingList' });
export type OfferingList = z.infer<typeof OfferingList>;

export const OfferingOrderForm = z
  .object({
    ids: z
      .array(Id)
      .max(limits.offeringsPerCreator)
      .describe('All offerings of the caller in the new order.'),
    pinnedId: Id.nullable().describe('The offering at the top, or null.'),
  })
  .meta({ id: 'OfferingOrderForm' });
export type OfferingOrderForm = z.infer<typeof OfferingOrderForm>;

export const OfferingOrder = OfferingOrderForm.extend({ editedVersion: EditedVersion });
export type OfferingOrder = z.infer<typeof OfferingOrder>;

export const DuplicateForm = z
  .object({ id: Id.describe('The id of the duplicate. A repeat with the same id creates one duplicate.') })
  .meta({ id: 'DuplicateForm' });
export type DuplicateForm = z.infer<typeof DuplicateForm>;

export const OfferingEntry = z.object({ creatorId: Uid, slug: z.string(), updatedAt: Timestamp });
export type OfferingEntry = z.infer<typeof OfferingEntry>;

export const PublicOfferingList = z
  .object({
    items: z.array(PublicOffering),
    pinnedId: Id.nullable().describe('The offering that its creator has pinned to the top, or null.'),
  })
  .meta({ id: 'PublicOfferingList' });
export type PublicOfferingList = z.infer<typeof PublicOfferingList>;

/** The profile on the home page: the first listed creator with a picture, a bio and offerings. */
export const Showcase = z
  .object({
    creator: CreatorCard.omit({ thumbnails: true }).nullable().describe('Null if no creator has all three.'),
    offerings: z
      .array(PublicOffering.pick({ slug: true, title: true, price: true, coverImage: true }))
      .max(limits.showcasedOfferings)
      .describe('The first offerings of the profile.'),
  })
  .meta({ id: 'Showcase' });
export type Showcase = z.infer<typeof Showcase>;

/** Whether an offering has content for buyers. */
export function delivers({
  files,
  deliveryText,
  deliveryUrl,
}: Pick<Offering, 'files' | 'deliveryText' | 'deliveryUrl'>): boolean {
  return files.length > 0 || deliveryText !== '' || deliveryUrl !== null;
}

/** The content that an offering delivers to a buyer or its owner. */
export const Delivery = z.object({
  title: z.string(),
  type: RecordedType,
  description: z.string(),
  coverImage: Picture.nullable(),
  ...delivered,
  /** The dates of a workshop. */
  schedule: Schedule.nullable(),
  /** Whether there is content, but the request had no key. */
  keyNeeded: z.boolean(),
});
export type Delivery = z.infer<typeof Delivery>;

/** A file of the download page. */
export const DownloadFile = DeliveredFile.omit({ contentType: true })
  .extend({ mediaUrl: z.string().describe('A link to the file that is valid for minutes.') })
  .meta({ id: 'DownloadFile' });
export type DownloadFile = z.infer<typeof DownloadFile>;

export const Download = z
  .object({
    title: z.string(),
    type: RecordedType,
    mediaUrl: z
      .string()
      .nullable()
      .describe('A link to the first of `files` that is valid for minutes. Null without an accessible file.'),
    ...delivered,
    files: z.array(DownloadFile).describe('The files for buyers, in display order.'),
    description: z.string().describe('The description of the offering.'),
    coverImage: Picture.nullable(),
    schedule: Schedule.nullable().describe('The dates of a workshop.'),
    keyNeeded: z.boolean().describe('Whether there is content, but the request had no key.'),
    creator: CreatorName.nullable().describe('The creator of the offering. Null while it cannot be read.'),
  })
  .meta({ id: 'Download' });
export type Download = z.infer<typeof Download>;

/** The number of a creator's public offerings. Of two tallies of a creator, the one with the higher `asOf` is newer. */
export const PublicTally = z.object({ count: z.int().min(0), asOf: z.int() });
export type PublicTally = z.infer<typeof PublicTally>;

/**
 * The tallies of all creators with ids above `after` and up to `upTo`. A creator without an entry has no public offering.
 * A tally with a higher `asOf` wins.
 */
export const PublicTallies = z.object({
  after: Uid.nullable(),
  upTo: Uid.nullable().describe('Null for all ids above `after`.'),
  asOf: z.int(),
  counts: z.array(z.object({ creatorId: Uid, count: z.int().min(0) })),
});
export type PublicTallies = z.infer<typeof PublicTallies>;

export const OfferingFacts = z.object({
  id: Id,
  creatorId: Uid,
  coverImageId: Id.nullable(),
  fileIds: z.array(Id),
  /** The change in the number of its creator's public offerings. */
  publicChange: z.int().min(-1).max(1),
  /** The tally of the creator's public offerings after the change. Absent if their number has not changed. */
  tally: PublicTally.optional(),
  version: Version,
});
export type OfferingFacts = z.infer<typeof OfferingFacts>;

/** The time at which the next of these workshops ends, in epoch milliseconds. Cached answers about them expire then. */
export function nextWorkshopEnd(shown: readonly Pick<PublicOffering, 'schedule'>[]): number {
  const ends = shown.flatMap(({ schedule }) => (schedule && !schedule.ended ? [endOf(schedule)] : []));
  return Math.min(...ends);
}

export const offerings = contract('offerings', {
  /** Creates an offering, or returns the existing one for a repeated `id`. The gateway generates a missing id. */
  create: request({
    semantics: 'idempotent',
    input: NewOffering,
    output: Offering,
  }),
  update: request({ semantics: 'idempotent', input: OfferingChanges, output: Offering }),
  remove: request({ semantics: 'idempotent', input: z.object({ id: Id }), output: Nothing }),
  /** Orders the caller's offerings. The input names each offering exactly once. */
  reorder: request({ semantics: 'idempotent', input: OfferingOrder, output: OfferingList }),
  /** Creates a draft with the same texts and cover, without the content for buyers and without dates. */
  duplicate: request({
    semantics: 'idempotent',
    input: z.object({ id: Id, duplicateId: Id }),
    output: Offering,
  }),
  readOwn: request({ semantics: 'safe', input: z.object({ id: Id }), output: Offering }),
  listOwn: request({ semantics: 'safe', input: Nothing, output: OfferingList }),
  listPublic: request({
    semantics: 'safe',
    input: z.object({ creatorId: Uid }),
    output: PublicOfferingList,
  }),
  /**
   * Lists the public offerings of several different creators, in the order of the input. It omits the last creators if the
   * response would be too large for a NATS message.
   */
  listPublicOfMany: request({
    semantics: 'safe',
    input: z.object({ creatorIds: z.array(Uid).max(limits.batchSize) }),
    output: z.object({ items: z.array(PublicOfferingList) }),
  }),
  /** Lists the covers of each creator's first offerings, at most `limits.cardThumbnails`. */
  listThumbnails: request({
    semantics: 'safe',
    input: z.object({ creatorIds: z.array(Uid).max(limits.batchSize) }),
    output: z.object({
      lists: z.array(z.object({ creatorId: Uid, items: z.array(Thumbnail) })),
    }),
  }),
  /** Finds a public offering by its present slug, an earlier slug or its id. */
  findPublic: request({
    semantics: 'safe',
    input: z.object({ creatorId: Uid, slug: requiredLine(limits.slugLength) }),
    output: PublicOffering,
  }),
  /** Lists up to `limits.sitemapOfferings` public offerings of these creators, for one file of the sitemap. */
  listEntries: request({
    semantics: 'safe',
    input: z.object({ creatorIds: z.array(Uid).max(limits.sitemapPart) }),
    output: z.object({ items: z.array(OfferingEntry) }),
  }),
  /** Lists the existing offerings among `ids`, regardless of their state. Only operators may send it. */
  listForReview: request({
    semantics: 'safe',
    input: z.object({ ids: z.array(Id).max(limits.batchSize) }),
    output: z.object({ items: z.array(ReviewedContent.extend({ id: Id })) }),
  }),
  /** Reads the download page with the right `key`. Without a key it needs a log-in, and only the owner gets the content. */
  download: request({
    semantics: 'safe',
    input: z.object({ creatorId: Uid, id: Id, key: PresentedKey }),
    output: Delivery,
  }),
  /** Finds the seller for a buyer whose link is no longer valid. Only for offerings that are or were public, unless hidden by an operator. */
  findSeller: request({
    semantics: 'safe',
    input: z.object({ creatorId: Uid, id: Id }),
    output: z.object({ uid: Uid }),
  }),
  /** Gives the caller's own offering a new delivery key and revokes the old one. */
  rotateKey: request({ semantics: 'idempotent', input: z.object({ id: Id }), output: Offering }),
  ...saleRequests,
  published: event(OfferingFacts),
  changed: event(OfferingFacts),
  removed: event(OfferingFacts),
  /** The payment link of a public offering leads to a payee that is new to the account. */
  paymentsMoved: event(LinkChangeFacts),
  payeeNoted: event(PayeeFacts),
  /** The links of a public offering, as of a version of the offering. */
  linksListed: event(LinkListing),
  /** Republishes all counts page by page (anti-entropy), so that listeners can repair counts that missed an event. */
  tallied: event(PublicTallies),
  /** The offerings of a closed account are deleted. */
  erased: event(ErasedAccount),
});
