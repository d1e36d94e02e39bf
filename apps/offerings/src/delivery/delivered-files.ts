import { type DeliveredFile, type FileChange, Id } from '@stoa/contracts';
import { readableDeliveredFile } from '../rows/readable-row.ts';

const entriesOf = (stored: unknown): unknown[] => (Array.isArray(stored) ? (stored as unknown[]) : []);

/** The files of a row in order, without unreadable entries. */
export const readFiles = (stored: unknown): DeliveredFile[] =>
  entriesOf(stored).flatMap(readableDeliveredFile);

/** Entries of a row that a newer release has written and this one cannot read. */
export function unreadableFiles(stored: unknown): { id: string | null; entry: object }[] {
  return entriesOf(stored).flatMap((entry) => {
    if (typeof entry !== 'object' || entry === null || readableDeliveredFile(entry).length > 0) return [];
    const { data = null } = Id.safeParse((entry as { id?: unknown }).id);
    return [{ id: data, entry }];
  });
}

/** The new value of the column: `files`, then the stored entries that this release cannot read. */
export function withUnreadableFiles(files: readonly DeliveredFile[], stored: unknown): object[] {
  const named = new Set(files.map(({ id }) => id));
  const unreadable = unreadableFiles(stored).filter(({ id }) => id === null || !named.has(id));
  return [...files, ...unreadable.map(({ entry }) => entry)];
}

/** Applies a form. A stored file keeps its date, a file that replaces another gets the current date. */
export function applyFileChanges(
  stored: readonly DeliveredFile[],
  changes: readonly FileChange[],
  now: Date,
): DeliveredFile[] {
  return changes.map(({ file, note, replaces }) => {
    const same = stored.find(({ id }) => id === file.id);
    if (same) return { ...same, note: note ?? same.note };
    const isVersion = stored.some(({ id }) => id === replaces);
    return { ...file, note: note ?? '', updatedAt: isVersion ? now.toISOString() : null };
  });
}
