import { invalidInput } from '@stoa/messaging';
import { z } from 'zod';

const Position = z.object({
  createdAt: z.iso.datetime().refine((time) => Date.parse(time) >= 0),
  uid: z.uuid(),
});

/** Where a page ended: the sort key of its last row. */
export type Position = z.infer<typeof Position>;

/** A position as the opaque text that clients hand back. */
export function encodeCursor({ createdAt, uid }: Position): string {
  return Buffer.from(JSON.stringify({ createdAt, uid })).toString('base64url');
}

/** @throws Refusal `invalid_input` for text that encodeCursor did not write. */
export function decodeCursor(cursor: string): Position {
  try {
    return Position.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch {
    throw invalidInput([{ path: ['cursor'], message: 'Not a cursor of this list.' }]);
  }
}
