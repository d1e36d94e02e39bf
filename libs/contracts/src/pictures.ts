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
    path: z.string().regex(/^(profile_pictures|offering_images)\/[\w./-]+$/),
    widths: z.array(z.int().positive()).min(1),
    width: z.int().positive(),
    height: z.int().positive(),
    /** Dominant colour as #rrggbb, shown until the picture is there. */
    color: z.string().regex(/^#[0-9a-f]{6}$/),
  })
  .meta({ id: 'Picture' });
export type Picture = z.infer<typeof Picture>;
