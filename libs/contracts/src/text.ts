import { limits } from './limits.ts';

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Length as a person counts it: a family emoji is one character, and so is é however it is encoded. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of segmenter.segment(text)) count += 1;
  return count;
}

/** Whether that length is at most `max`. No character is shorter than a code unit, so most texts need no counting. */
export function hasAtMost(text: string, max: number): boolean {
  return text.length <= max || countCharacters(text) <= max;
}

/** The first `length` characters as a person counts them. */
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

/** What the server takes as a search: marks that cannot be seen come along with pasted text and match nothing. */
export function searchable(text: string): string {
  const seen = text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();
  return firstCharacters(seen, limits.searchLength);
}
