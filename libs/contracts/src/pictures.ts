import { z } from 'zod';
import { Id } from './fields.ts';

export const pictureFormats = ['avif', 'webp'] as const;

/**
 * A re-encoded picture in the public bucket. Files lie at `<path>/<width>.<format>` below the media base
 * address, for each of `widths` and each of `pictureFormats`; they never change, so they cache forever.
 */
export const Picture = z
  .object({
    id: Id,
    path: z
      .string()
      .regex(/^(profile_pictures|offering_images)\/[\w./-]+$/)
      .describe('Below `mediaUrl` of the configuration; the files are `<path>/<width>.avif` and `.webp`.'),
    widths: z.array(z.int().positive()).min(1).describe('The widths that there are files of, in pixels.'),
    width: z.int().positive().describe('Of the largest file, in pixels.'),
    height: z.int().positive().describe('Of the largest file, in pixels.'),
    color: z
      .string()
      .regex(/^#[0-9a-f]{6}$/)
      .describe('Dominant colour, shown until the picture is there.'),
    isTransparent: z
      .literal(true)
      .optional()
      .describe('A part of it lets the ground behind it through; absent where none does.'),
  })
  .meta({ id: 'Picture' });
export type Picture = z.infer<typeof Picture>;

/** The smallest files of a picture, for where many are shown together. */
export const Thumbnail = Picture.omit({ id: true }).meta({ id: 'Thumbnail' });
export type Thumbnail = z.infer<typeof Thumbnail>;
