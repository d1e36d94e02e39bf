import { invalidInput } from '@stoa/messaging';
import { z } from 'zod';

const Position = z.object({
  isComplete: z.boolean(),
  createdAt: z.iso.datetime().refine((time) => Date.parse(time) >= 0),
  uid: z.guid().toLowerCase(),
  /** Number of matches that the first page has counted, so that later pages need not count again. */
  total: z.int().nonnegative().optional(),
  totalIsExact: z.boolean(),
});

/** The sort key of the last profile of a page, after which the next page begins. */
export type Position = z.infer<typeof Position>;

/** The largest value of the type `integer` in Postgres. */
const maxPriority = 2_147_483_647;

/** The sort key of the last review case of a page. */
const CasePosition = z.object({
  priority: z.int().nonnegative().max(maxPriority),
  openedAt: z.iso.datetime(),
  id: z.guid().toLowerCase(),
});
export type CasePosition = z.infer<typeof CasePosition>;

/** A range of account ids by their first 32 bits: `from` is included, `to` is not. */
const SitemapPart = z.object({ from: z.int().nonnegative(), to: z.int().positive() });
export type SitemapPart = z.infer<typeof SitemapPart>;

const idSpace = 2 ** 32;
/** At most 2^15 parts, because a sitemap index may list 50,000 (sitemaps.org). Larger sites get larger parts. */
const maxPartsLog2 = 15;

/**
 * Splits all ids into equal ranges with about `size` of the `rows`. Doubling their number, a power of two, keeps all bounds.
 */
export function sitemapParts(rows: number, size: number): [SitemapPart, ...SitemapPart[]] {
  const count = 2 ** Math.min(maxPartsLog2, Math.max(0, Math.ceil(Math.log2(rows / size))));
  const at = (part: number) => ({ from: (part * idSpace) / count, to: ((part + 1) * idSpace) / count });
  return [at(0), ...Array.from({ length: count - 1 }, (_, part) => at(part + 1))];
}

/**
 * The cursors of several parts; empty for one. Each contains both bounds, so a list that a crawler has cached stays valid.
 */
export function sitemapCursors(parts: readonly SitemapPart[]): string[] {
  return parts.length > 1 ? parts.map(encodeCursor) : [];
}

/** Encodes a position as text that clients send back unchanged. */
export function encodeCursor(position: Position | SitemapPart | CasePosition): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** @throws Refusal `invalid_input` if `encodeCursor` has not written the text */
export function decodePosition(cursor: string): Position {
  return decode(Position, cursor);
}

/** @throws Refusal `invalid_input` if `encodeCursor` has not written the text */
export function decodeCasePosition(cursor: string): CasePosition {
  return decode(CasePosition, cursor);
}

/** @throws Refusal `invalid_input` if `encodeCursor` has not written the text */
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
