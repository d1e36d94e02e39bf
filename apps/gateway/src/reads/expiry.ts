import type { Found } from './public-reads.ts';

/** When the first of these parts expires; Infinity where none does. */
export const firstExpiry = (parts: readonly (Found | undefined)[]): number =>
  Math.min(...parts.flatMap((part) => part?.answer.expiresAt ?? []));
