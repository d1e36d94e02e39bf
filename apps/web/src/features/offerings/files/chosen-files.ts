import type { DeliveredFile, FileChoice, StoredFile } from '@stoa/contracts';

/** A file in the editor. */
export interface ChosenFile {
  readonly id: string;
  readonly filename: string;
  readonly size: number;
  readonly note: string;
  readonly updatedAt: string | null;
  /** Whether buyers have it already. Only then its replacement is a new version. */
  readonly isStored: boolean;
  /** The id of the stored file that it replaces. */
  readonly replaces?: string | undefined;
}

export function openedFile({ id, filename, size, note, updatedAt }: DeliveredFile): ChosenFile {
  return { id, filename, size, note, updatedAt, isStored: true };
}

export function choiceOf({ id, note, replaces }: ChosenFile): FileChoice {
  return { id, note, replaces };
}

/** The files after an upload, which replaces the file `place` or comes last. */
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

/** The files after one of them has moved up (-1) or down (1). */
export function withMoved(files: readonly ChosenFile[], index: number, by: -1 | 1): ChosenFile[] {
  const moved = [...files];
  const [one] = moved.splice(index, 1);
  if (one) moved.splice(index + by, 0, one);
  return moved;
}

/** Whether the delivered files equal the choices, in order and notes. */
export function sameFiles(delivered: readonly DeliveredFile[], choices: readonly FileChoice[]): boolean {
  const textOf = ({ id, note = '' }: Pick<FileChoice, 'id' | 'note'>) => `${id} ${note}`;
  return delivered.map(textOf).join() === choices.map(textOf).join();
}
