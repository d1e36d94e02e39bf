import { createHash, randomBytes } from 'node:crypto';

/** The secret of a link that takes a change back: 256 bits, of which only the hash is kept. */
export const newUndoToken = (): string => randomBytes(32).toString('base64url');

export const undoTokenHash = (token: string): string =>
  createHash('sha256').update(token).digest('base64url');
