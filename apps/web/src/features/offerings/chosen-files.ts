import type { DeliveredFile, FileChoice, StoredFile } from '@stoa/contracts';

/** A file as the editor has it. */
export interface ChosenFile {
  readonly id: string;
  readonly filename: string;
  readonly size: number;
  readonly note: string;
  readonly updatedAt: string | null;
  /** Whether buyers have it already: only then is one in its place another version. */
  readonly isStored: boolean;
  /** Whose place it takes, of those that buyers have. */
  readonly replaces?: string | undefined;
}

export function openedFile({ id, filename, size, note, updatedAt }: DeliveredFile): ChosenFile {
  return { id, filename, size, note, updatedAt, isStored: true };
}

export function choiceOf({ id, note, replaces }: ChosenFile): FileChoice {
  return { id, note, replaces };
}

/** The files once an upload is there, in the place of another or at the end. */
export function withUpload(
  files: readonly ChosenFile[],
  { id, filename, size }: StoredFile,
  place: string | undefined,
): ChosenFile[] {
  const came: ChosenFile = { id, filename, size, note: '', updatedAt: null, isStored: false };
  const former = files.find((file) => file.id === place);
  if (!former) return [...files, came];
  const replaces = former.isStored ? former.id : former.replaces;
  return files.map((file) =>
    file === former ? { ...came, note: replaces ? '' : file.note, replaces } : file,
  );
}

/** The files with one of them a place further up (-1) or down. */
export function withMoved(files: readonly ChosenFile[], index: number, by: -1 | 1): ChosenFile[] {
  const moved = [...files];
  const [one] = moved.splice(index, 1);
  if (one) moved.splice(index + by, 0, one);
  return moved;
}

/** Whether buyers get these files, in this order, with these notes. */
export function sameFiles(delivered: readonly DeliveredFile[], choices: readonly FileChoice[]): boolean {
  const told = ({ id, note = '' }: Pick<FileChoice, 'id' | 'note'>) => `${id} ${note}`;
  return delivered.map(told).join() === choices.map(told).join();
}
