import type { CachedAnswer } from './public-reads.ts';

/** The earliest time at which one of these responses expires; Infinity if none does. */
export const firstExpiry = (parts: readonly (CachedAnswer | undefined)[]): number =>
  Math.min(...parts.flatMap((part) => part?.answer.expiresAt ?? []));
