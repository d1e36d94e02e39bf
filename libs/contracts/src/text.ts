import { limits } from './limits.ts';

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The number of graphemes: a family emoji counts as one character, and so does é in any encoding. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of segmenter.segment(text)) count += 1;
  return count;
}

/** Whether a text has at most `max` graphemes. Texts with at most `max` code units need no segmentation. */
export function hasMaxCharacters(text: string, max: number): boolean {
  return text.length <= max || countCharacters(text) <= max;
}

/** The first `length` graphemes. */
export function firstCharacters(text: string, length: number): string {
  let kept = '';
  let count = 0;
  for (const { segment } of segmenter.segment(text)) {
    if (count === length) break;
    kept += segment;
    count += 1;
  }
  return kept;
}

/** Removes control and direction characters of pasted text from a search, and cuts it to `limits.searchLength`. */
export function searchable(text: string): string {
  const seen = text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();
  return firstCharacters(seen, limits.searchLength);
}
