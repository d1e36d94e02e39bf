import type { StoredFile } from '@stoa/contracts';
import { randomUUID } from 'node:crypto';

/** A completed file as in an answer of media. */
export function makeStoredFile(changes: Partial<StoredFile> = {}): StoredFile {
  return {
    id: randomUUID(),
    filename: 'letters.pdf',
    size: 120_000,
    contentType: 'application/pdf',
    ...changes,
  };
}
