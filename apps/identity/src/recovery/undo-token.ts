import { createHash, randomBytes } from 'node:crypto';

/** The secret of an undo link: 256 bits. Only its hash is stored. */
export const newUndoToken = (): string => randomBytes(32).toString('base64url');

export const undoTokenHash = (token: string): string =>
  createHash('sha256').update(token).digest('base64url');
