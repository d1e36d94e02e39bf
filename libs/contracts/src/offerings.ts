import { z } from 'zod';
import { contract, event, type Label, request } from './contract.ts';
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
import { defaultOfferingState, offeringStateLabels } from './choices.ts';
import { DeliveredFile, FileChange, FileChoices, StoredFile } from './files.ts';
import { limits } from './limits.ts';
import { LinkChangeFacts, PayeeFacts } from './link-changes.ts';
import { LinkListing } from './link-health.ts';
import { offeringTypeLabels } from './offering-types.ts';
import { Picture, Thumbnail } from './pictures.ts';
import { ReviewedContent } from './reviews.ts';
import { endOf, Schedule, ScheduleForm, Seats } from './schedules.ts';

const types = Object.keys(offeringTypeLabels) as (keyof typeof offeringTypeLabels)[];
export const OfferingType = z.enum(types).meta({ id: 'OfferingType' });
export type OfferingType = z.infer<typeof OfferingType>;

/** What a record says of its type: one from before there were types says nothing. */
export const RecordedType = OfferingType.or(z.literal('')).meta({ id: 'RecordedType' });
export type RecordedType = z.infer<typeof RecordedType>;

const states = Object.keys(offeringStateLabels) as (keyof typeof offeringStateLabels)[];
export const OfferingState = z.enum(states).meta({ id: 'OfferingState' });
export type OfferingState = z.infer<typeof OfferingState>;

/** An offering as visitors see it. */
export const PublicOffering = z
  .object({
    id: Id,
    creatorId: Uid,
    title: z.string(),
    description: z.string(),
    price: z.string().describe('As the creator words it: "R150", "from $20".'),
    type: RecordedType.describe('Empty for an offering from before there were types.'),
    paymentUrl: z.string().describe('Where buyers pay.'),
    coverImage: Picture.nullable(),
    state: OfferingState.default(defaultOfferingState).describe(
      'Visitors see what is published, and what is sold out without a way to buy it.',
    ),
    slug: z
      .string()
      .default('')
      .describe('Its part of the address /profile/{username}/{slug}; another title gives another one.'),
    createdAt: Timestamp,
    publishedAt: Timestamp.nullable()
      .default(null)
      .describe('When visitors saw it first; null where they never have.'),
    schedule: Schedule.nullable().default(null).describe('When a workshop takes place, where that is said.'),
    seats: z
      .int()
      .nonnegative()
      .nullable()
      .default(null)
      .describe('Seats of a workshop that are left, as its creator states them. None left is sold out.'),
  })
  .meta({ id: 'PublicOffering' });
export type PublicOffering = z.infer<typeof PublicOffering>;

/** Opens an offering's download page without an account. */
export const DeliveryKey = z.string().regex(/^[\w-]{22,128}$/);

/** What buyers get for their key: files in this order, a text and a link, or none of them. */
const delivered = {
  files: z.array(DeliveredFile).default([]).describe('What buyers download.'),
  deliveryText: z.string().default('').describe('What buyers read.'),
  deliveryUrl: z.string().nullable().default(null).describe('Where buyers are led.'),
};

// An answer holds all offerings of a creator, so bytes count as well as characters.
const deliveryForm = {
  deliveryText: text(limits.deliveryTextLength)
    .refine((value) => value.length <= 2 * limits.deliveryTextLength, 'This text is too long.')
    .describe('What buyers read; absent keeps what was there.')
    .optional(),
  deliveryUrl: Link.describe('Where buyers are led; absent keeps what was there.').nullish(),
};

/** An offering as its owner sees it. `productUrl` is for their own reference. */
export const Offering = PublicOffering.extend({
  productUrl: z.string().nullable().describe("The creator's own reference to the product."),
  file: StoredFile.nullable().describe('The first of `files`.'),
  ...delivered,
  deliveryKey: DeliveryKey.describe('Opens the download page to whoever has it.'),
  takenDown: z
    .boolean()
    .default(false)
    .describe('Whether an operator has hidden it: whatever its state, nobody else sees it then.'),
  updatedAt: Timestamp,
  version: Version.describe('Grows with each change.'),
}).meta({ id: 'Offering' });
export type Offering = z.infer<typeof Offering>;

const offeringFields = z.object({
  title: requiredLine(limits.titleLength),
  description: text(limits.descriptionLength),
  price: requiredLine(limits.priceLength).describe('In words: "R150", "from $20".'),
  type: OfferingType,
  state: OfferingState.describe('Absent keeps what it was; a new offering is published.').optional(),
  paymentUrl: Link.describe('Where buyers pay.'),
  productUrl: Link.describe("The creator's own reference to the product.").nullish(),
  ...deliveryForm,
  schedule: ScheduleForm.describe(
    'Of a workshop: null removes it, absent keeps it. Ignored for others.',
  ).nullish(),
  seats: Seats.describe('Of a workshop: null removes them, absent keeps them. Ignored for others.').nullish(),
});

export const NewOfferingForm = offeringFields
  .extend({
    id: Id.describe(
      "Made by the creator's browser: a repeat with the same id is one offering. Without it every request is another.",
    ).optional(),
    coverImageId: uuid('Please select a cover image.').describe('A completed upload.'),
    fileId: Id.describe('A completed upload: the only file, where `files` is absent.').nullish(),
    files: FileChoices.describe('What buyers download, in this order.').optional(),
  })
  .meta({ id: 'NewOfferingForm' });
export type NewOfferingForm = z.infer<typeof NewOfferingForm>;

export const OfferingForm = offeringFields
  .extend({
    coverImageId: Id.describe('A completed upload; absent keeps the cover.').optional(),
    fileId: Id.describe(
      'Of the first file, where `files` is absent: a completed upload takes its place, null removes it, absent keeps it.',
    ).nullish(),
    files: FileChoices.describe('All files, in this order; absent keeps them.').optional(),
  })
  .meta({ id: 'OfferingForm' });
export type OfferingForm = z.infer<typeof OfferingForm>;

export const NewOffering = offeringFields.extend({
  id: Id.optional(),
  coverImage: Picture,
  file: StoredFile.nullish(),
  files: z.array(FileChange).max(limits.offeringFiles).optional(),
});
export type NewOffering = z.infer<typeof NewOffering>;

export const OfferingChanges = offeringFields.extend({
  id: Id,
  coverImage: Picture.optional(),
  file: StoredFile.nullish(),
  files: z.array(FileChange).max(limits.offeringFiles).optional(),
  editedVersion: EditedVersion,
});
export type OfferingChanges = z.infer<typeof OfferingChanges>;

export const OfferingList = z
  .object({
    items: z.array(Offering),
    pinnedId: Id.nullable().default(null).describe('The offering that stands on top whatever the order.'),
    version: Version.default(1).describe('Of the order: grows when it is changed, not with the offerings.'),
  })
  .meta({ id: 'OfferingList' });
export type OfferingList = z.infer<typeof OfferingList>;

export const OfferingOrderForm = z
  .object({
    ids: z.array(Id).max(limits.offeringsPerCreator).describe('All of them, as they shall stand.'),
    pinnedId: Id.nullable().describe('One of them that stands on top, or none.'),
  })
  .meta({ id: 'OfferingOrderForm' });
export type OfferingOrderForm = z.infer<typeof OfferingOrderForm>;

export const OfferingOrder = OfferingOrderForm.extend({ editedVersion: EditedVersion });
export type OfferingOrder = z.infer<typeof OfferingOrder>;

export const DuplicateForm = z
  .object({ id: Id.describe('Of the duplicate. A repeat with the same id is one duplicate.') })
  .meta({ id: 'DuplicateForm' });
export type DuplicateForm = z.infer<typeof DuplicateForm>;

/** What a search engine needs to know of an offering. */
export const OfferingEntry = z.object({ creatorId: Uid, slug: z.string(), updatedAt: Timestamp });
export type OfferingEntry = z.infer<typeof OfferingEntry>;

export const PublicOfferingList = z
  .object({
    items: z.array(PublicOffering),
    pinnedId: Id.nullable().default(null).describe('The one of them that its creator has pinned to the top.'),
  })
  .meta({ id: 'PublicOfferingList' });
export type PublicOfferingList = z.infer<typeof PublicOfferingList>;

/** A page that home shows: the first of the list who has a picture, a bio and offerings. */
export const Showcase = z
  .object({
    creator: CreatorCard.omit({ thumbnails: true }).nullable().describe('Null where nobody has all of it.'),
    offerings: z
      .array(PublicOffering.pick({ slug: true, title: true, price: true, coverImage: true }))
      .max(limits.showcasedOfferings)
      .describe('What stands first there.'),
  })
  .meta({ id: 'Showcase' });
export type Showcase = z.infer<typeof Showcase>;

/** Any text, so that a key that cannot be one is refused in the same words as a wrong one. */
export const PresentedKey = z.string().max(512).optional();
export type PresentedKey = z.infer<typeof PresentedKey>;

/** Whether there is anything for who has paid, but the thanks. */
export function delivers({
  files,
  deliveryText,
  deliveryUrl,
}: Pick<Offering, 'files' | 'deliveryText' | 'deliveryUrl'>): boolean {
  return files.length > 0 || deliveryText !== '' || deliveryUrl !== null;
}

/** What an offering delivers to a buyer or its owner. */
export const Delivery = z.object({
  title: z.string(),
  type: RecordedType,
  description: z.string().default(''),
  coverImage: Picture.nullable().default(null),
  file: StoredFile.nullable(),
  ...delivered,
  /** When it takes place, of a workshop. */
  schedule: Schedule.nullable().default(null),
  /** There is something, but not for somebody who brings no key. */
  keyNeeded: z.boolean(),
});
export type Delivery = z.infer<typeof Delivery>;

/** A file of the download page. */
export const DownloadFile = DeliveredFile.omit({ contentType: true })
  .extend({ mediaUrl: z.string().describe('Leads to the file, for minutes.') })
  .meta({ id: 'DownloadFile' });
export type DownloadFile = z.infer<typeof DownloadFile>;

/** What the download page shows. */
export const Download = z
  .object({
    title: z.string(),
    type: RecordedType,
    mediaUrl: z
      .string()
      .nullable()
      .describe('Leads to the file, for minutes; null where there is none to have.'),
    file: StoredFile.pick({ filename: true, size: true }).nullable(),
    ...delivered,
    files: z.array(DownloadFile).default([]).describe('All of them, `file` first.'),
    description: z.string().default('').describe('What it is.'),
    coverImage: Picture.nullable().default(null),
    schedule: Schedule.nullable().default(null).describe('When it takes place, of a workshop.'),
    keyNeeded: z.boolean().describe('There is something, but not for somebody who brings no key.'),
    creator: CreatorName.nullable().describe('Whose it is; null where that cannot be said now.'),
  })
  .meta({ id: 'Download' });
export type Download = z.infer<typeof Download>;

/** How many offerings of a creator visitors see. Of two for the same creator, that with the higher `asOf` is newer. */
export const PublicTally = z.object({ count: z.int().min(0), asOf: z.int() });
export type PublicTally = z.infer<typeof PublicTally>;

/**
 * The same of all creators whose ids are above `after` and up to `upTo`; who is not named has none that visitors see. It says
 * nothing against what was said of a creator with a higher `asOf`.
 */
export const PublicTallies = z.object({
  after: Uid.nullable(),
  upTo: Uid.nullable().describe('Null for all ids above `after`.'),
  asOf: z.int(),
  counts: z.array(z.object({ creatorId: Uid, count: z.int().min(0) })),
});
export type PublicTallies = z.infer<typeof PublicTallies>;

/**
 * An absent `fileId` says nothing of a file: an older publisher does not know of files. Null is no file. Absent `fileIds` say
 * nothing of any but the first.
 */
export const OfferingFacts = z.object({
  id: Id,
  creatorId: Uid,
  coverImageId: Id.nullable(),
  fileId: Id.nullable().optional(),
  fileIds: z.array(Id).optional(),
  /** How many more of its creator's offerings visitors see: one, none, or one less. Absent where there are no states. */
  publicChange: z.int().min(-1).max(1).optional(),
  /** How many they see by now, where that has changed. An older publisher does not say. */
  tally: PublicTally.optional(),
  version: Version,
});
export type OfferingFacts = z.infer<typeof OfferingFacts>;

/** When the next of these workshops ends, in milliseconds by the clock; what tells of them is another answer from then on. */
export function nextEnd(shown: readonly Pick<PublicOffering, 'schedule'>[]): number {
  const ends = shown.flatMap(({ schedule }) => (schedule && !schedule.ended ? [endOf(schedule)] : []));
  return Math.min(...ends);
}

/** That of a list: milliseconds, or `Infinity`. */
const listEnds: Label = { name: 'endsAt', of: (list) => String(nextEnd((list as PublicOfferingList).items)) };

export const offerings = contract('offerings', {
  /** Answers the offering that is there to a repeat of its `id`, which the gateway makes where its caller has not. */
  create: request({
    semantics: 'idempotent',
    input: NewOffering,
    output: Offering,
  }),
  update: request({ semantics: 'idempotent', input: OfferingChanges, output: Offering }),
  remove: request({ semantics: 'idempotent', input: z.object({ id: Id }), output: Nothing }),
  /** Puts the caller's offerings into an order, each of them named once. */
  reorder: request({ semantics: 'idempotent', input: OfferingOrder, output: OfferingList }),
  /** Makes a draft of the same words and cover, without what buyers get and without dates. */
  duplicate: request({
    semantics: 'idempotent',
    input: z.object({ id: Id, duplicateId: Id }),
    output: Offering,
  }),
  readOwn: request({ semantics: 'safe', input: z.object({ id: Id }), output: Offering }),
  listOwn: request({ semantics: 'safe', input: Nothing, output: OfferingList }),
  listPublic: request({
    semantics: 'safe',
    labels: [listEnds],
    input: z.object({ creatorId: Uid }),
    output: PublicOfferingList,
  }),
  /**
   * The same of several creators at once, each named once: a list for each in their order, without the last ones where the
   * answer has no room for them.
   */
  listPublicOfMany: request({
    semantics: 'safe',
    labels: [listEnds],
    input: z.object({ creatorIds: z.array(Uid).max(limits.batchSize) }),
    output: z.object({ items: z.array(PublicOfferingList) }),
  }),
  /** Covers of what each of these creators shows first, at most `limits.cardThumbnails`; none for who has none. */
  listThumbnails: request({
    semantics: 'safe',
    input: z.object({ creatorIds: z.array(Uid).max(limits.batchSize) }),
    output: z.object({
      lists: z.array(z.object({ creatorId: Uid, items: z.array(Thumbnail) })),
    }),
  }),
  /** By its slug, by one that it had before, or by its id. */
  findPublic: request({
    semantics: 'safe',
    input: z.object({ creatorId: Uid, slug: requiredLine(limits.slugLength) }),
    output: PublicOffering,
  }),
  /** What these creators offer, for one part of the sitemap: at most `limits.sitemapOfferings`. */
  listEntries: request({
    semantics: 'safe',
    input: z.object({ creatorIds: z.array(Uid).max(limits.sitemapPart) }),
    output: z.object({ items: z.array(OfferingEntry) }),
  }),
  /** For operators: those that there are of these, whatever has become of them. */
  listForReview: request({
    semantics: 'safe',
    input: z.object({ ids: z.array(Id).max(limits.batchSize) }),
    output: z.object({ items: z.array(ReviewedContent.extend({ id: Id })) }),
  }),
  /** Opens to the right `key`; without one to the signed-in, and what it delivers then to the owner alone. */
  download: request({
    semantics: 'safe',
    input: z.object({ creatorId: Uid, id: Id, key: PresentedKey }),
    output: Delivery,
  }),
  /** Whose it is, for a buyer whose link opens it no more: of one that visitors see or saw, and no operator has hidden. */
  findSeller: request({
    semantics: 'safe',
    input: z.object({ creatorId: Uid, id: Id }),
    output: z.object({ uid: Uid }),
  }),
  /** Gives the caller's own offering a new delivery key; the old one opens nothing from now on. */
  rotateKey: request({ semantics: 'idempotent', input: z.object({ id: Id }), output: Offering }),
  /** Visitors see it from now on. */
  published: event(OfferingFacts),
  changed: event(OfferingFacts),
  removed: event(OfferingFacts),
  /** Who pays for a public offering is led to a payee that is new to the account. */
  paymentsMoved: event(LinkChangeFacts),
  payeeNoted: event(PayeeFacts),
  /** The links that visitors see on an offering, as of a version of it. */
  linksListed: event(LinkListing),
  /** Told page by page, over and over: for who counts by what was published and removed, and may have missed something. */
  tallied: event(PublicTallies),
  /** The offerings of a closed account are gone. */
  erased: event(ErasedAccount),
});
