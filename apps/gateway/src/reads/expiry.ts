import type { CachedAnswer } from './public-reads.ts';

/** The earliest expiry of these responses; Infinity when none expires. */
export const firstExpiry = (parts: readonly (CachedAnswer | undefined)[]): number =>
  Math.min(...parts.flatMap((part) => part?.answer.expiresAt ?? []));
