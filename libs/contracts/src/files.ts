import { z } from 'zod';
import { Id, line, Timestamp } from './fields.ts';
import { limits } from './limits.ts';

/** A file that an offering delivers. It lies in a private bucket; only short-lived links lead to it. */
export const StoredFile = z
  .object({
    id: Id,
    filename: z
      .string()
      .min(1)
      .max(255)
      .describe('Fit for every file system: no path, nothing that cannot be seen.'),
    size: z.int().positive().describe('Bytes.'),
    contentType: z
      .string()
      .min(1)
      .max(127)
      .describe("What the creator's browser called it; it is served as bytes, whatever this says."),
  })
  .meta({ id: 'StoredFile' });
export type StoredFile = z.infer<typeof StoredFile>;

/** A note of its creator to those who have paid: what another version of a file is better in. */
export const FileNote = line(limits.fileNoteLength);

/** One of the files that an offering delivers, in the version that is there: one that took its place is gone. */
export const DeliveredFile = StoredFile.extend({
  note: z.string().default('').describe('What its creator says of this version; empty where nothing.'),
  updatedAt: Timestamp.nullable()
    .default(null)
    .describe('When it took the place of a version before; null for the first.'),
}).meta({ id: 'DeliveredFile' });
export type DeliveredFile = z.infer<typeof DeliveredFile>;

const replaces = Id.describe('The file of the offering whose place it takes, as another version.').optional();
const note = FileNote.describe('Said to buyers; absent keeps what was said of this version.').optional();

/** A file of an offering as a form names it. */
export const FileChoice = z.object({ id: Id.describe('A completed upload.'), note, replaces });
export type FileChoice = z.infer<typeof FileChoice>;

/** The same once it is known that it is theirs. */
export const FileChange = z.object({ file: StoredFile, note, replaces });
export type FileChange = z.infer<typeof FileChange>;

/** The files of a form: all of them, as they shall stand. */
export const FileChoices = z
  .array(FileChoice)
  .max(limits.offeringFiles, `At most ${limits.offeringFiles} files.`)
  .refine((files) => new Set(files.map(({ id }) => id)).size === files.length, 'Name each file once.');

/** All files of a record: a release from before there were several tells of the first alone. */
export function filesOf({
  file,
  files,
}: {
  readonly file: StoredFile | null;
  readonly files: readonly DeliveredFile[];
}): DeliveredFile[] {
  if (files.length > 0 || !file) return [...files];
  return [{ ...file, note: '', updatedAt: null }];
}
