const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Length as a person counts it: a family emoji is one character, and so is é however it is encoded. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of segmenter.segment(text)) count += 1;
  return count;
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
