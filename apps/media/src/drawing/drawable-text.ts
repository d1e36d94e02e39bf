import { readFontCoverage } from './font-coverage.ts';

const covered = readFontCoverage();
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** Characters without a shape of their own: joiners, variation selectors, tags, spaces. */
const shapeless = /[\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}]/u;
const letter = /\p{L}/u;
const meansSomething = /[\p{L}\p{N}]/u;
/** Letters that people use as decoration for plain letters. */
const mathematical = /[\u{1d400}-\u{1d7ff}\u{24b6}-\u{24e9}]/gu;

/**
 * The text that a card can draw: without characters that no font has, because a box would be worse. Empty if
 * letters are missing and none is left, because signs and spaces alone are no title.
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
      // A letter stays readable without a missing mark.
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
