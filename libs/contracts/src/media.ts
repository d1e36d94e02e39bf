import { z } from 'zod';
import { Caller } from './caller.ts';
import { contract, event, request } from './contract.ts';
import { Palette } from './creators.ts';
import { ErasedAccount } from './erasure.ts';
import { Id, Nothing, Timestamp, Uid } from './fields.ts';
import { StoredFile } from './files.ts';
import { defaultPalette } from './facts.ts';
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

/** The largest file each purpose takes, in bytes. */
export const uploadBytes: Record<UploadPurpose, number> = {
  'profile-picture': limits.profilePictureBytes,
  'offering-cover': limits.coverImageBytes,
  'profile-header': limits.headerImageBytes,
  'offering-file': limits.offeringFileBytes,
};

export const pictureContentTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/avif'] as const;
/** What browsers and programs call a picture of those types as well, or anything: the bytes decide. */
const oddContentTypes = [
  '',
  'application/octet-stream',
  'image/jpg',
  'image/pjpeg',
  'image/x-png',
  'image/apng',
];
const mayBePicture: readonly string[] = [...pictureContentTypes, ...oddContentTypes];

/** What to say of a file over that size. */
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
        'JPEG, PNG, WebP or AVIF for a picture; empty for a file whose type the browser does not know. The bytes decide.',
      ),
    size: z.int().min(1, 'The file is empty.').meta({
      maximum: limits.offeringFileBytes,
      description: 'Bytes; the store takes no more. Pictures may have fewer.',
    }),
  })
  .superRefine(({ purpose, contentType, size }, context) => {
    if (size > uploadBytes[purpose]) {
      context.addIssue({ code: 'custom', path: ['size'], message: uploadTooLarge[purpose] });
    }
    if (purpose !== 'offering-file' && !mayBePicture.includes(contentType)) {
      const message = 'Choose a JPEG, PNG, WebP or AVIF picture.';
      context.addIssue({ code: 'custom', path: ['contentType'], message });
    }
  })
  .meta({ id: 'UploadRequest' });
export type UploadRequest = z.infer<typeof UploadRequest>;

/** Where and how the browser posts the file: multipart form, `fields` first, then the file as `file`. */
export const UploadGrant = z
  .object({
    id: Id.describe('By which the upload is completed.'),
    url: z.string().describe('Where the form is posted.'),
    fields: z
      .record(z.string(), z.string())
      .describe('The fields of the form, which come before the file; the file is the field `file`.'),
    expiresAt: Timestamp,
  })
  .meta({ id: 'UploadGrant' });
export type UploadGrant = z.infer<typeof UploadGrant>;

/** The room that the files and pictures of an account take, and may take. */
export const AccountRoom = z
  .object({
    usedBytes: z
      .int()
      .nonnegative()
      .describe('Of all files and pictures, those of drafts and unfinished uploads among them.'),
    limitBytes: z.int().positive().describe('What they may take.'),
    provedLimitBytes: z.int().positive().describe('The same once the email address is confirmed.'),
  })
  .meta({ id: 'AccountRoom' });
export type AccountRoom = z.infer<typeof AccountRoom>;

/** A picture whose public files edge may refuse, for its owner and for operators. */
export const PicturePreview = z
  .object({
    url: z
      .string()
      .regex(/^data:image\/webp;base64,/)
      .describe('The picture itself, as a `data:` URL.'),
  })
  .meta({ id: 'PicturePreview' });
export type PicturePreview = z.infer<typeof PicturePreview>;

/** Where a file can be fetched by anybody, until when. */
export const FileLink = z.object({ url: z.string(), expiresAt: Timestamp });
export type FileLink = z.infer<typeof FileLink>;

/** The export of an account that was asked for last. */
export const AccountExport = z
  .object({
    state: z
      .enum(['none', 'making', 'ready', 'failed'])
      .describe('`none` also when the last one is over and removed.'),
    expiresAt: Timestamp.nullable().describe('When it is removed; null until it is ready.'),
    url: z
      .string()
      .nullable()
      .describe(
        'Where it can be fetched in the next minutes; null until it is ready. Nobody else may have it.',
      ),
  })
  .meta({ id: 'AccountExport' });
export type AccountExport = z.infer<typeof AccountExport>;

/** What became of an upload: a picture by the purposes of one, a file by `offering-file`. */
export const CompletedUpload = z.union([Picture, StoredFile]);
export type CompletedUpload = z.infer<typeof CompletedUpload>;

/** What the card of a profile, or of an offering, is drawn from. Whoever asks has made sure that all of it is public. */
export const PreviewCard = z.object({
  uid: Uid,
  username: z.string(),
  /** What the creator is called. */
  name: z.string(),
  /** The beginning of the bio, as one line. */
  text: z.string(),
  palette: Palette.default(defaultPalette),
  /** The face, or the cover. */
  pictureId: Id.nullable(),
  /** Absent on the card of a profile. */
  offering: z.object({ id: Id, title: z.string(), type: z.string(), price: z.string() }).optional(),
});
export type PreviewCard = z.infer<typeof PreviewCard>;

/** Which collection of an export's records this is: each gateway that takes the export begins anew. */
const ExportAttempt = z.int().min(0);

export const media = contract('media', {
  /** A grant that nobody got is an upload that nobody finishes. */
  grant: request({ semantics: 'idempotent', input: UploadRequest, output: UploadGrant }),
  /**
   * Checks what was posted: re-encodes a picture, moves a file out of the staging bucket. Asked again, it answers the
   * same. `not_found` for an upload of the other kind; a picture unless told.
   */
  complete: request({
    semantics: 'idempotent',
    slow: true,
    input: z.object({ id: Id, kind: z.enum(['picture', 'file']).optional() }),
    output: CompletedUpload,
  }),
  /** Gives up an upload of the caller's that is not completed. */
  abandon: request({ semantics: 'idempotent', input: z.object({ id: Id }), output: Nothing }),
  readRoom: request({ semantics: 'safe', input: Nothing, output: AccountRoom }),
  /**
   * The caller's own completed upload, held until a record of that purpose is attached to it or the hold runs out. A repeat
   * holds it anew.
   */
  resolve: request({
    semantics: 'idempotent',
    input: z.object({ id: Id, purpose: UploadPurpose }),
    output: CompletedUpload,
  }),
  /** The caller's own picture, or for an operator one that is withdrawn; `not_found` otherwise. No link to it exists. */
  previewPicture: request({ semantics: 'safe', input: z.object({ id: Id }), output: PicturePreview }),
  /** A link to a file of `uid`. Whoever asks has made sure that it may be handed out. */
  linkFile: request({ semantics: 'safe', input: z.object({ id: Id, uid: Uid }), output: FileLink }),
  /**
   * Where in the public bucket the card lies that link previews show; drawn once, for as long as nothing of it changes.
   * `unavailable` while too many are drawn.
   */
  drawCard: request({
    semantics: 'idempotent',
    slow: true,
    input: PreviewCard,
    output: z.object({ path: z.string() }),
  }),
  /**
   * Begins an export of the caller's account, whose records a gateway then collects. `forbidden` without a fresh
   * log-in, `conflict` while one is being made, `rate_limited` after `limits.exportsPerDay` of them.
   */
  startExport: request({ semantics: 'idempotent', input: Nothing, output: z.object({ id: Id }) }),
  /** Leases an export whose records are missing for `limits.exportLeaseSeconds`; each record that is added renews the lease. */
  takeExport: request({
    semantics: 'idempotent',
    input: Nothing,
    output: z.object({ export: z.object({ id: Id, attempt: ExportAttempt, caller: Caller }).nullable() }),
  }),
  /**
   * Adds a file of JSON to an export that was begun, or replaces it; `conflict` once the export is over, and for an attempt that
   * another one followed.
   */
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
  /** The records are complete: the archive is made of them and of the caller's pictures and files. */
  makeExport: request({
    semantics: 'idempotent',
    input: z.object({ id: Id, attempt: ExportAttempt }),
    output: Nothing,
  }),
  readExport: request({ semantics: 'safe', input: Nothing, output: AccountExport }),
  /** An export lies ready until `expiresAt`; null where it could not be made. */
  exportEnded: event(z.object({ uid: Uid, id: Id, expiresAt: Timestamp.nullable() })),
  /** Every upload of a closed account is marked for removal, which the store may take its time for. */
  erased: event(ErasedAccount),
});
