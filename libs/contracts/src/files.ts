import { z } from 'zod';
import { Id, line, Timestamp } from './fields.ts';
import { limits } from './limits.ts';

/** A file of an offering. It is stored in a private bucket and is reachable only through short-lived links. */
export const StoredFile = z
  .object({
    id: Id,
    filename: z
      .string()
      .min(1)
      .max(255)
      .describe('Valid on all file systems: without a path and without invisible characters.'),
    size: z.int().positive().describe('Bytes.'),
    contentType: z
      .string()
      .min(1)
      .max(127)
      .describe("The type reported by the creator's browser. The file is always served as bytes."),
  })
  .meta({ id: 'StoredFile' });
export type StoredFile = z.infer<typeof StoredFile>;

/** The creator's note to buyers about a new version of a file. */
export const FileNote = line(limits.fileNoteLength);

/** The present version of a file of an offering. Earlier versions are deleted. */
export const DeliveredFile = StoredFile.extend({
  note: z.string().describe("The creator's note about this version. May be empty."),
  updatedAt: Timestamp.nullable().describe(
    'When it replaced an earlier version. Null for the first version.',
  ),
}).meta({ id: 'DeliveredFile' });
export type DeliveredFile = z.infer<typeof DeliveredFile>;

const replaces = Id.describe('The file of the offering that it replaces with a new version.').optional();
const note = FileNote.describe('A note to buyers. Absent keeps the note of this version.').optional();

/** A file of an offering, as a form refers to it. */
export const FileChoice = z.object({ id: Id.describe('A completed upload.'), note, replaces });
export type FileChoice = z.infer<typeof FileChoice>;

/** A `FileChoice` after the gateway has checked that the upload belongs to the caller. */
export const FileChange = z.object({ file: StoredFile, note, replaces });
export type FileChange = z.infer<typeof FileChange>;

/** All files of an offering, in the order of display. */
export const FileChoices = z
  .array(FileChoice)
  .max(limits.offeringFiles, `At most ${limits.offeringFiles} files.`)
  .refine((files) => new Set(files.map(({ id }) => id)).size === files.length, 'Name each file once.');
