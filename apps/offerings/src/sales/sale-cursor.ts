import { invalidInput } from '@stoa/messaging';
import { z } from 'zod';

/** The sort key of the last sale of a page. */
const Position = z.object({ createdAt: z.iso.datetime(), id: z.guid().toLowerCase() });
type Position = z.infer<typeof Position>;

export function encodeSaleCursor({ createdAt, id }: Position): string {
  return Buffer.from(JSON.stringify({ createdAt, id })).toString('base64url');
}

/** @throws Refusal for a cursor of another list. */
export function decodeSaleCursor(cursor: string): Position {
  try {
    return Position.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch {
    throw invalidInput([{ path: ['cursor'], message: 'Not a cursor of this list.' }]);
  }
}
