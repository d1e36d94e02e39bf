import { z } from 'zod';
import { Caller } from './caller.ts';
import { contract, event, request } from './contract.ts';
import { Palette } from './creators.ts';
import { ErasedAccount } from './erasure.ts';
import { Id, Nothing, Timestamp, Uid } from './fields.ts';
import { StoredFile } from './files.ts';
import { limits } from './limits.ts';
import { Picture } from './pictures.ts';

export const PicturePurpose = z
  .enum(['profile-picture', 'offering-cover', 'profile-header'])
  .meta({ id: 'PicturePurpose' });
export type PicturePurpose = z.infer<typeof PicturePurpose>;

export const UploadPurpose = z
  .enum([...PicturePurpose.options, 'offering-file'])
  .meta({ id: 'UploadPurpose' });
export type UploadPurpose = z.infer<typeof UploadPurpose>;

/** The largest size of an upload by purpose, in bytes. */
export const uploadBytes: Record<UploadPurpose, number> = {
  'profile-picture': limits.profilePictureBytes,
  'offering-cover': limits.coverImageBytes,
  'profile-header': limits.headerImageBytes,
  'offering-file': limits.offeringFileBytes,
};

export const pictureContentTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/avif'] as const;
/** Any picture type except SVG, or an unknown type. The media service then checks the bytes. */
const mayBePicture = /^(?:|application\/octet-stream|image\/(?!svg).*)$/i;

/** A media type without its parameters (RFC 9110, 8.3.1). */
const essenceOf = (contentType: string) => contentType.split(';', 1)[0]?.trim() ?? '';

/** The message for a file above that size. */
export const uploadTooLarge: Record<UploadPurpose, string> = {
  'profile-picture': 'Profile picture must be smaller than 2MB.',
  'offering-cover': 'Cover image must be smaller than 5MB.',
  'profile-header': 'Header picture must be smaller than 5MB.',
  'offering-file': 'The file must not be larger than 200MB.',
};

export const UploadRequest = z
  .object({
    purpose: UploadPurpose,
    filename: z.string().min(1).max(255),
    contentType: z
      .string()
      .max(127)
      .describe(
        'JPEG, PNG, WebP or AVIF for a picture. Empty if the browser does not know the type. Stoa checks the bytes.',
      ),
    size: z.int().min(1, 'The file is empty.').meta({
      maximum: limits.offeringFileBytes,
      description: 'Bytes. The object store refuses more. Pictures have a lower limit.',
    }),
  })
  .superRefine(({ purpose, contentType, size }, context) => {
    if (size > uploadBytes[purpose]) {
      context.addIssue({ code: 'custom', path: ['size'], message: uploadTooLarge[purpose] });
    }
    if (purpose !== 'offering-file' && !mayBePicture.test(essenceOf(contentType))) {
      const message = 'Choose a JPEG, PNG, WebP or AVIF picture.';
      context.addIssue({ code: 'custom', path: ['contentType'], message });
    }
  })
  .meta({ id: 'UploadRequest' });
export type UploadRequest = z.infer<typeof UploadRequest>;

/** A signed form with which the browser posts one file to the object store. */
export const UploadGrant = z
  .object({
    id: Id.describe('The id of the upload, for completing it.'),
    url: z.string().describe('The URL that the browser posts the multipart form to.'),
    fields: z
      .record(z.string(), z.string())
      .describe('The fields of the form before the file. The file is the last field, `file`.'),
    expiresAt: Timestamp,
  })
  .meta({ id: 'UploadGrant' });
export type UploadGrant = z.infer<typeof UploadGrant>;

/** The storage that an account uses, and its quota. */
export const AccountRoom = z
  .object({
    usedBytes: z
      .int()
      .nonnegative()
      .describe('The size of all files and pictures, including drafts and unfinished uploads.'),
    limitBytes: z.int().positive().describe('The quota of the account.'),
    provedLimitBytes: z.int().positive().describe('The quota once the email address is confirmed.'),
  })
  .meta({ id: 'AccountRoom' });
export type AccountRoom = z.infer<typeof AccountRoom>;

/**
 * A picture for its owner and for operators. It is embedded, because edge refuses the public files of withdrawn
 * pictures.
 */
export const PicturePreview = z
  .object({
    url: z
      .string()
      .regex(/^data:image\/webp;base64,/)
      .describe('The picture itself, as a `data:` URL.'),
  })
  .meta({ id: 'PicturePreview' });
export type PicturePreview = z.infer<typeof PicturePreview>;

/** A signed link to a file. It needs no log-in and expires. */
export const FileLink = z.object({ url: z.string(), expiresAt: Timestamp });
export type FileLink = z.infer<typeof FileLink>;

/** The last requested export of an account. */
export const AccountExport = z
  .object({
    state: z
      .enum(['none', 'making', 'ready', 'failed'])
      .describe('`none` also after the last export was deleted.'),
    expiresAt: Timestamp.nullable().describe('When the export is deleted. Null until it is ready.'),
    url: z
      .string()
      .nullable()
      .describe(
        'A link to the export that is valid for minutes and opens without a log-in. Null until the export is ready.',
      ),
  })
  .meta({ id: 'AccountExport' });
export type AccountExport = z.infer<typeof AccountExport>;

/** A completed upload: a `StoredFile` for the purpose `offering-file`, a `Picture` otherwise. */
export const CompletedUpload = z.union([Picture, StoredFile]);
export type CompletedUpload = z.infer<typeof CompletedUpload>;

/** The content of a preview card for a profile or an offering. The caller has checked that all of it is public. */
export const PreviewCard = z.object({
  uid: Uid,
  username: z.string(),
  /** The display name of the creator. */
  name: z.string(),
  /** The beginning of the bio, as one line. */
  text: z.string(),
  palette: Palette,
  /** The profile picture or the cover. */
  pictureId: Id.nullable(),
  /** Absent on the card of a profile. */
  offering: z.object({ id: Id, title: z.string(), type: z.string(), price: z.string() }).optional(),
});
export type PreviewCard = z.infer<typeof PreviewCard>;

/** The number of the attempt to collect an export. Each gateway that leases the export starts a new attempt. */
const ExportAttempt = z.int().min(0);

export const media = contract('media', {
  /** Grants an upload. A repeat is harmless: if the answer is lost, the unused grant expires. */
  grant: request({ semantics: 'idempotent', input: UploadRequest, output: UploadGrant }),
  /**
   * Completes an upload: re-encodes a picture, or moves a file out of the staging bucket. `not_found` for an upload of
   * another kind than `kind`, by default `picture`.
   */
  complete: request({
    semantics: 'idempotent',
    slow: true,
    input: z.object({ id: Id, kind: z.enum(['picture', 'file']).optional() }),
    output: CompletedUpload,
  }),
  /** Cancels an uncompleted upload of the caller. It counts against the quota until its grant has expired. */
  abandon: request({ semantics: 'idempotent', input: z.object({ id: Id }), output: Nothing }),
  readRoom: request({ semantics: 'safe', input: Nothing, output: AccountRoom }),
  /**
   * Finds a completed upload of the caller and leases it against deletion, until a record uses it or the lease expires. A
   * repeat renews the lease.
   */
  resolve: request({
    semantics: 'idempotent',
    input: z.object({ id: Id, purpose: UploadPurpose }),
    output: CompletedUpload,
  }),
  /** Reads the bytes of the caller's own picture or, for an operator, of a withdrawn one; `not_found` otherwise. */
  previewPicture: request({ semantics: 'safe', input: z.object({ id: Id }), output: PicturePreview }),
  /** Signs a link to a file of `uid`. The gateway has checked that the requester may download it. */
  linkFile: request({ semantics: 'safe', input: z.object({ id: Id, uid: Uid }), output: FileLink }),
  /**
   * Draws the preview card, unless the same card exists, and returns its path in the public bucket. `unavailable` while
   * too many cards are being drawn.
   */
  drawCard: request({
    semantics: 'idempotent',
    slow: true,
    input: PreviewCard,
    output: z.object({ path: z.string() }),
  }),
  /**
   * Starts an export of the caller's account; a gateway then collects the records. `forbidden` without a recent log-in,
   * `conflict` during another export, `rate_limited` after `limits.exportsPerDay`.
   */
  startExport: request({ semantics: 'idempotent', input: Nothing, output: z.object({ id: Id }) }),
  /** Leases an export without records for `limits.exportLeaseSeconds`. Each added record renews the lease. */
  takeExport: request({
    semantics: 'idempotent',
    input: Nothing,
    output: z.object({ export: z.object({ id: Id, attempt: ExportAttempt, caller: Caller }).nullable() }),
  }),
  /** Adds or replaces a JSON file of a started export. `conflict` after the end of the export or of the attempt. */
  addToExport: request({
    semantics: 'idempotent',
    input: z.object({
      id: Id,
      attempt: ExportAttempt,
      name: z.string().regex(/^[a-z0-9-]{1,60}\.json$/),
      content: z.json(),
    }),
    output: Nothing,
  }),
  /** Marks the records as complete. Media then builds the archive from them and the caller's pictures and files. */
  makeExport: request({
    semantics: 'idempotent',
    input: z.object({ id: Id, attempt: ExportAttempt }),
    output: Nothing,
  }),
  readExport: request({ semantics: 'safe', input: Nothing, output: AccountExport }),
  /** An export is ready until `expiresAt`, or has failed (null). */
  exportEnded: event(z.object({ uid: Uid, id: Id, expiresAt: Timestamp.nullable() })),
  /** All uploads of a closed account are marked for deletion. The object store may delete them later. */
  erased: event(ErasedAccount),
});
