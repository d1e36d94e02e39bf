import { plainText } from '@stoa/contracts/plain-text';
import { countCharacters } from '@stoa/contracts/text';
import { exactUpTo } from './character-count.tsx';

/** Whether a text has more than `max` characters as a person counts; it may be asked with every key. */
export function isTooLong(text: string, max: number): boolean {
  return text.length > max && (text.length > exactUpTo || countCharacters(plainText(text)) > max);
}
