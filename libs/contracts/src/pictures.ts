import { z } from 'zod';
import { Id } from './fields.ts';

export const pictureFormats = ['avif', 'webp'] as const;

/**
 * A re-encoded picture in the public bucket. Below the media URL it has a file `<path>/<width>.<format>` for each of
 * `widths` and `pictureFormats`. Files never change, so caches may keep them forever.
 */
export const Picture = z
  .object({
    id: Id,
    path: z
      .string()
      .regex(/^(profile_pictures|offering_images)\/[\w./-]+$/)
      .describe(
        'The path below `mediaUrl` of the configuration. The files are `<path>/<width>.avif` and `.webp`.',
      ),
    widths: z.array(z.int().positive()).min(1).describe('The widths of the files in pixels.'),
    width: z.int().positive().describe('The width of the largest file in pixels.'),
    height: z.int().positive().describe('The height of the largest file in pixels.'),
    color: z
      .string()
      .regex(/^#[0-9a-f]{6}$/)
      .describe('The dominant colour, shown while the picture loads.'),
    isTransparent: z
      .literal(true)
      .optional()
      .describe('The picture has transparent parts. Absent otherwise.'),
  })
  .meta({ id: 'Picture' });
export type Picture = z.infer<typeof Picture>;

/** The small files of a picture, for lists. */
export const Thumbnail = Picture.omit({ id: true }).meta({ id: 'Thumbnail' });
export type Thumbnail = z.infer<typeof Thumbnail>;
