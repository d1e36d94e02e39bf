import { plainText } from '@stoa/contracts/plain-text';
import { countCharacters } from '@stoa/contracts/text';
import { exactUpTo } from './character-count.tsx';

/**
 * Whether a text has more than `max` characters as people count them. It is fast enough to run on every key.
 */
export function isTooLong(text: string, max: number): boolean {
  return text.length > max && (text.length > exactUpTo || countCharacters(plainText(text)) > max);
}
