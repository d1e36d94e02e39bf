import { readFontCoverage } from './font-coverage.ts';

const covered = readFontCoverage();
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** Characters without a shape of their own, such as joiners, variation selectors and spaces. */
const shapeless = /[\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}]/u;
const letter = /\p{L}/u;
const meansSomething = /[\p{L}\p{N}]/u;
/** Styled letters, such as 𝐀 and Ⓐ, that users write instead of plain letters. */
const mathematical = /[\u{1d400}-\u{1d7ff}\u{24b6}-\u{24e9}]/gu;

/**
 * Removes characters that no font contains, because a card would show boxes. Returns an empty text if the
 * text had letters and all are gone, because signs alone are no title.
 */
export function drawableText(words: string): string {
  let drawn = '';
  let lacksLetters = false;
  for (const { segment } of graphemes.segment(
    words.replace(mathematical, (styled) => styled.normalize('NFKC')),
  )) {
    const form = [
      segment,
      segment.normalize('NFC'),
      segment.normalize('NFD'),
      segment.normalize('NFKC'),
    ].find(hasShape);
    if (form !== undefined) drawn += form;
    else if (meansSomething.test(segment)) {
      // If no font contains a letter with its accents, the letter alone remains readable.
      const bare = segment.normalize('NFD').replace(/\p{M}/gu, '');
      if (bare !== '' && hasShape(bare)) drawn += bare;
      else lacksLetters = true;
    }
  }
  if (lacksLetters && !letter.test(drawn)) return '';
  return drawn.replace(/\s+/g, ' ').trim();
}

function hasShape(text: string): boolean {
  return [...text].every((sign) => shapeless.test(sign) || covered.has(sign.codePointAt(0) ?? 0));
}
