import { readFileSync } from 'node:fs';
import { Layout, Niche, OfferingType, OwnLinkForm, Palette, Paygate } from '@stoa/contracts';
import { z } from 'zod';

const dataFolder = new URL('../data/', import.meta.url);

const OfferingSeed = z.strictObject({
  title: z.string(),
  description: z.string(),
  price: z.string(),
  type: OfferingType,
  /** The creator's own note of where the product is stored. */
  product: z.string().optional(),
  /** The text for buyers on the download page. */
  deliveryText: z.string().optional(),
  /** Name of the cover's file in data/pictures. */
  cover: z.string(),
  /** The date of an event, in days after the seeding, so that it is in the future. */
  date: z
    .strictObject({ inDays: z.int(), from: z.string(), until: z.string(), timeZone: z.string() })
    .optional(),
  seats: z.int().optional(),
});
export type OfferingSeed = z.infer<typeof OfferingSeed>;

const CreatorSeed = z.strictObject({
  username: z.string(),
  displayName: z.string(),
  niches: z.array(Niche).nonempty(),
  bio: z.string(),
  /** Name of the profile picture's file in data/pictures. */
  picture: z.string().optional(),
  /** Usernames on other platforms. */
  handles: z
    .strictObject({ youtube: z.string(), tiktok: z.string(), instagram: z.string() })
    .partial()
    .default({}),
  paygates: z.array(Paygate).default([]),
  palette: Palette,
  layout: Layout,
  /** Name of a file in data/pictures, for the wide picture above the profile. */
  header: z.string().optional(),
  links: z.array(OwnLinkForm).default([]),
  offerings: z.array(OfferingSeed),
});
export type CreatorSeed = z.infer<typeof CreatorSeed>;

/**
 * All creators, the sample profile of the home page first. Niches alternate, so that each page of the list is
 * mixed.
 */
export const creators: readonly CreatorSeed[] = z
  .array(CreatorSeed)
  .parse(JSON.parse(readFileSync(new URL('creators.json', dataFolder), 'utf8')));

/** A picture for an upload. All seed pictures are WebP. */
export interface PictureFile {
  filename: string;
  contentType: 'image/webp';
  bytes: Buffer;
}

/** @throws Error (ENOENT) if data/pictures has no file of that name. */
export function pictureFile(filename: string): PictureFile {
  return {
    filename,
    contentType: 'image/webp',
    bytes: readFileSync(new URL(`pictures/${filename}`, dataFolder)),
  };
}
