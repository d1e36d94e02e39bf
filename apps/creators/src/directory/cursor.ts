import { invalidInput } from '@stoa/messaging';
import { z } from 'zod';

const Position = z.object({
  isComplete: z.boolean(),
  createdAt: z.iso.datetime().refine((time) => Date.parse(time) >= 0),
  uid: z.guid().toLowerCase(),
  /** The count of the first page, so that later pages need no count. */
  total: z.int().nonnegative().optional(),
  totalIsExact: z.boolean(),
});

/** The sort key of the last row of a page. */
export type Position = z.infer<typeof Position>;

/** The largest `integer` of Postgres. */
const maxPriority = 2_147_483_647;

/** The sort key of the last case of a page. */
const CasePosition = z.object({
  priority: z.int().nonnegative().max(maxPriority),
  openedAt: z.iso.datetime(),
  id: z.guid().toLowerCase(),
});
export type CasePosition = z.infer<typeof CasePosition>;

/** A range of account ids by their first 32 bits, from `from` up to, not including, `to`. */
const SitemapPart = z.object({ from: z.int().nonnegative(), to: z.int().positive() });
export type SitemapPart = z.infer<typeof SitemapPart>;

const idSpace = 2 ** 32;
/** 2^15 parts, since a sitemap index may list 50,000 (sitemaps.org). Beyond that, the parts become larger. */
const maxPartsLog2 = 15;

/** Equal ranges of ids, each with about `size` of the `rows`. Their number is a power of two: doubling it keeps all bounds. */
export function sitemapParts(rows: number, size: number): [SitemapPart, ...SitemapPart[]] {
  const count = 2 ** Math.min(maxPartsLog2, Math.max(0, Math.ceil(Math.log2(rows / size))));
  const at = (part: number) => ({ from: (part * idSpace) / count, to: ((part + 1) * idSpace) / count });
  return [at(0), ...Array.from({ length: count - 1 }, (_, part) => at(part + 1))];
}

/** The cursors of several parts, none for a single one. Each has both bounds, so a cached list stays valid. */
export function sitemapCursors(parts: readonly SitemapPart[]): string[] {
  return parts.length > 1 ? parts.map(encodeCursor) : [];
}

/** An opaque cursor, which clients send back unchanged. */
export function encodeCursor(position: Position | SitemapPart | CasePosition): string {
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
export function decodeSitemapPart(cursor: string): SitemapPart {
  return decode(SitemapPart, cursor);
}

function decode<S extends z.ZodType>(schema: S, cursor: string): z.infer<S> {
  try {
    return schema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch {
    throw invalidInput([{ path: ['cursor'], message: 'Not a cursor of this list.' }]);
  }
}
