import { endOf, type PublicOffering } from '@stoa/contracts';
import type { Found } from './public-reads.ts';

/** When the next of these workshops ends, by the clock; their answer is another one from then on. */
export function nextEnd(offerings: readonly Pick<PublicOffering, 'schedule'>[]): number {
  const ends = offerings.flatMap(({ schedule }) => (schedule && !schedule.ended ? [endOf(schedule)] : []));
  return Math.min(...ends);
}

/** When the first of these parts expires; Infinity where none does. */
export const firstExpiry = (parts: readonly (Found | undefined)[]): number =>
  Math.min(...parts.flatMap((part) => part?.answer.expiresAt ?? []));
