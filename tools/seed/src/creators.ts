import { readFileSync } from 'node:fs';
import { Layout, Niche, OfferingType, OwnLinkForm, Palette, Paygate } from '@stoa/contracts';
import { z } from 'zod';

const dataFolder = new URL('../data/', import.meta.url);

const OfferingSeed = z.strictObject({
  title: z.string(),
  description: z.string(),
  price: z.string(),
  type: OfferingType,
  /** Where the creator keeps the thing itself, for their own reference. */
  product: z.string().optional(),
  /** What buyers read on the download page. */
  deliveryText: z.string().optional(),
  /** Name of a file in data/pictures. */
  cover: z.string(),
  /** When it takes place: so many days after it is seeded, so that it is still to come. */
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
  /** Name of a file in data/pictures. */
  picture: z.string().optional(),
  /** Names on other platforms. */
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

/** Everybody, the sample profile of the home page first. Niches take turns, so that each page of the list is a mixture. */
export const creators: readonly CreatorSeed[] = z
  .array(CreatorSeed)
  .parse(JSON.parse(readFileSync(new URL('creators.json', dataFolder), 'utf8')));

/** A picture as the upload takes it. Those of the seed are all WebP. */
export interface PictureFile {
  filename: string;
  contentType: 'image/webp';
  bytes: Buffer;
}

/** @throws Error (ENOENT) when data/pictures holds no file of that name. */
export function pictureFile(filename: string): PictureFile {
  return {
    filename,
    contentType: 'image/webp',
    bytes: readFileSync(new URL(`pictures/${filename}`, dataFolder)),
  };
}
