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
