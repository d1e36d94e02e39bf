import { type DeliveredFile, type FileChange, filesOf, Id, type StoredFile } from '@stoa/contracts';
import { readableDeliveredFile, readableFile } from './readable-row.ts';

/** What a form says of the files: all of them, or the first as forms from before there were several know it. */
export interface FileChanges {
  readonly file?: StoredFile | null | undefined;
  readonly files?: readonly FileChange[] | undefined;
}

/**
 * The files of a row, in their order. A release that knows the first alone writes `file` beside `files`: what it took away
 * or put there counts, and the others stay.
 */
export function readFiles({ file, files }: StoredFiles): DeliveredFile[] {
  const first = readableFile(file);
  const [listed, ...rest] = Array.isArray(files) ? (files as unknown[]) : [];
  const [known] = readableDeliveredFile(listed);
  const others = rest.flatMap(readableDeliveredFile);
  if (known && known.id === first?.id) return [known, ...others];
  return [...filesOf({ file: first, files: [] }), ...others];
}

/** What a row holds of files. */
export interface StoredFiles {
  readonly file: unknown;
  readonly files: unknown;
}

/** What a newer release has put among the files and this one cannot read. */
export function unreadFiles({ files }: Pick<StoredFiles, 'files'>): { id: string | null; entry: object }[] {
  return (Array.isArray(files) ? (files as unknown[]) : []).flatMap((entry) => {
    if (typeof entry !== 'object' || entry === null || readableDeliveredFile(entry).length > 0) return [];
    const { data = null } = Id.safeParse((entry as { id?: unknown }).id);
    return [{ id: data, entry }];
  });
}

/** `files` as they are stored: what this release cannot read stays as it is, unless its place was taken before its eyes. */
export function keepUnread(
  files: readonly DeliveredFile[],
  before: readonly DeliveredFile[],
  stored: StoredFiles,
): object[] {
  const unread = unreadFiles(stored);
  const seen = new Set(before.map(({ id }) => id));
  const known = files.map((file) => unread.find(({ id }) => id === file.id)?.entry ?? file);
  const hidden = unread.filter(({ id }) => id === null || !seen.has(id));
  return [...known, ...hidden.map(({ entry }) => entry)];
}

/** The files after a change; undefined where it says nothing of them. */
export function changedFiles(
  stored: readonly DeliveredFile[],
  { file, files }: FileChanges,
  now: Date,
): DeliveredFile[] | undefined {
  if (files) return files.map((change) => placed(stored, change, now));
  if (file === undefined) return undefined;
  const [first, ...others] = stored;
  if (!file) return others;
  return [placed(stored, { file, replaces: first?.id }, now), ...others.filter(({ id }) => id !== file.id)];
}

/** A file that is there already keeps its date; one that takes the place of another has that of now. */
function placed(stored: readonly DeliveredFile[], change: FileChange, now: Date): DeliveredFile {
  const { file, note, replaces } = change;
  const same = stored.find(({ id }) => id === file.id);
  if (same) return { ...same, note: note ?? same.note };
  const isVersion = stored.some(({ id }) => id === replaces);
  return { ...file, note: note ?? '', updatedAt: isVersion ? now.toISOString() : null };
}
