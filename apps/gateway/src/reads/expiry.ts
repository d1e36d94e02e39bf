import { endOf, type PublicOffering, type PublicOfferingList } from '@stoa/contracts';
import type { Found } from './public-reads.ts';

/** When the next of these workshops ends, by the clock; their answer is another one from then on. */
export function nextEnd(offerings: readonly Pick<PublicOffering, 'schedule'>[]): number {
  const ends = offerings.flatMap(({ schedule }) => (schedule && !schedule.ended ? [endOf(schedule)] : []));
  return Math.min(...ends);
}

/** As every workshop has it; within a text the quotes would be escaped. */
const schedule = '"schedule":{';

/** The same of a list as its service wrote it, which is parsed only where there is a workshop in it. */
export function nextEndIn(list: Uint8Array): number {
  const bytes = Buffer.from(list.buffer, list.byteOffset, list.byteLength);
  return bytes.includes(schedule)
    ? nextEnd((JSON.parse(bytes.toString()) as PublicOfferingList).items)
    : Infinity;
}

/** When the first of these parts expires; Infinity where none does. */
export const firstExpiry = (parts: readonly (Found | undefined)[]): number =>
  Math.min(...parts.flatMap((part) => part?.answer.expiresAt ?? []));
