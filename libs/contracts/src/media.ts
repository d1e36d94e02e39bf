import { z } from 'zod';
import { contract, request } from './contract.ts';
import { Id, Timestamp } from './fields.ts';
import { limits } from './limits.ts';
import { Picture } from './pictures.ts';

export const UploadPurpose = z.enum(['profile-picture', 'offering-cover']).meta({ id: 'UploadPurpose' });
export type UploadPurpose = z.infer<typeof UploadPurpose>;

/** The largest file each purpose takes, in bytes. */
export const uploadBytes: Record<UploadPurpose, number> = {
  'profile-picture': limits.profilePictureBytes,
  'offering-cover': limits.coverImageBytes,
};

export const pictureContentTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/avif'] as const;

/** What to say of a file over that size. */
export const uploadTooLarge: Record<UploadPurpose, string> = {
  'profile-picture': 'Profile picture must be smaller than 2MB.',
  'offering-cover': 'Cover image must be smaller than 5MB.',
};

export const UploadRequest = z
  .object({
    purpose: UploadPurpose,
    filename: z.string().min(1).max(255),
    contentType: z.enum(pictureContentTypes, 'Choose a JPEG, PNG, WebP or AVIF picture.'),
    size: z.int().min(1, 'The file is empty.'),
  })
  .superRefine(({ purpose, size }, context) => {
    if (size > uploadBytes[purpose]) {
      context.addIssue({ code: 'custom', path: ['size'], message: uploadTooLarge[purpose] });
    }
  })
  .meta({ id: 'UploadRequest' });
export type UploadRequest = z.infer<typeof UploadRequest>;

/** Where and how the browser posts the file: multipart form, `fields` first, then the file as `file`. */
export const UploadGrant = z
  .object({ id: Id, url: z.string(), fields: z.record(z.string(), z.string()), expiresAt: Timestamp })
  .meta({ id: 'UploadGrant' });
export type UploadGrant = z.infer<typeof UploadGrant>;

export const media = contract('media', {
  grant: request({ input: UploadRequest, output: UploadGrant }),
  /** Checks and re-encodes the posted file. Asked again, it answers the same picture. */
  complete: request({ input: z.object({ id: Id }), output: Picture }),
  /** The caller's own completed picture, ready to be attached to a record of that purpose. */
  resolve: request({ input: z.object({ id: Id, purpose: UploadPurpose }), output: Picture }),
});
