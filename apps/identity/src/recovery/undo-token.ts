import { createHash, randomBytes } from 'node:crypto';

/** The secret in an undo link (256 bits). The database stores only its hash. */
export const newUndoToken = (): string => randomBytes(32).toString('base64url');

export const undoTokenHash = (token: string): string =>
  createHash('sha256').update(token).digest('base64url');
