import { invalidInput } from '@stoa/messaging';
import { z } from 'zod';

const Position = z.object({
  // Absent in cursors from before complete profiles came first.
  isComplete: z.boolean().default(true),
  createdAt: z.iso.datetime().refine((time) => Date.parse(time) >= 0),
  uid: z.guid().toLowerCase(),
  /** What the first page counted, so that no further page counts again. */
  total: z.int().nonnegative().optional(),
  totalIsExact: z.boolean().default(true),
});

/** Where a page ended: the sort key of its last row. */
export type Position = z.infer<typeof Position>;

/** The largest integer of the database. */
const mostPriority = 2_147_483_647;

/** Where a page of cases ended. */
const CasePosition = z.object({
  // Absent in cursors from before the queue had priorities: such a page begins anew rather than leave cases out.
  priority: z.int().nonnegative().max(mostPriority).default(mostPriority),
  openedAt: z.iso.datetime(),
  id: z.guid().toLowerCase(),
});
export type CasePosition = z.infer<typeof CasePosition>;

/** A part of the sitemap: the accounts whose ids begin with numbers from `from` up to, not including, `to`. */
const Part = z.object({ from: z.int().nonnegative(), to: z.int().positive() });
export type Part = z.infer<typeof Part>;

const idSpace = 2 ** 32;
/** As a power of two: an index of sitemaps may name 50,000 (sitemaps.org). Beyond it parts grow. */
const mostPartsLog2 = 15;

/** Parts of about `size` that hold all of `rows`; twice as many when there are too few, so that half the bounds stay. */
export function partsOf(rows: number, size: number): [Part, ...Part[]] {
  const count = 2 ** Math.min(mostPartsLog2, Math.max(0, Math.ceil(Math.log2(rows / size))));
  const at = (part: number) => ({ from: (part * idSpace) / count, to: ((part + 1) * idSpace) / count });
  return [at(0), ...Array.from({ length: count - 1 }, (_, part) => at(part + 1))];
}

/** Where each of several parts begins, the first one too: who keeps the list may read it when there are other parts. */
export function positionsOf(parts: readonly Part[]): string[] {
  return parts.length > 1 ? parts.map(encodeCursor) : [];
}

/** What clients hand back, as opaque text. */
export function encodeCursor(position: Position | Part | CasePosition): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** @throws Refusal `invalid_input` for text that encodeCursor did not write. */
export function decodePosition(cursor: string): Position {
  return decode(Position, cursor);
}

/** @throws Refusal `invalid_input` for text that encodeCursor did not write. */
export function decodeCasePosition(cursor: string): CasePosition {
  return decode(CasePosition, cursor);
}

/** @throws Refusal `invalid_input` for text that encodeCursor did not write. */
export function decodePart(cursor: string): Part {
  return decode(Part, cursor);
}

function decode<S extends z.ZodType>(schema: S, cursor: string): z.infer<S> {
  try {
    return schema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch {
    throw invalidInput([{ path: ['cursor'], message: 'Not a cursor of this list.' }]);
  }
}
