import { readFontCoverage } from './font-coverage.ts';

const covered = readFontCoverage();
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** What has no shape of its own: joiners, variation selectors, tags, blanks. */
const shapeless = /[\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}]/u;
const meansSomething = /[\p{L}\p{N}]/u;
/** People who write their names in these mean the plain letters. */
const mathematical = /[\u{1d400}-\u{1d7ff}\u{24b6}-\u{24e9}]/gu;

/**
 * The text as a card draws it: without the signs, emoji and marks that no font of ours has. Undefined where that is a letter
 * or a digit: boxes in place of somebody's name are worse than none.
 */
export function drawableText(words: string): string | undefined {
  let drawn = '';
  for (const { segment } of graphemes.segment(
    words.replace(mathematical, (letter) => letter.normalize('NFKC')),
  )) {
    const form = [
      segment,
      segment.normalize('NFC'),
      segment.normalize('NFD'),
      segment.normalize('NFKC'),
    ].find(hasShape);
    if (form !== undefined) drawn += form;
    else if (meansSomething.test(segment)) {
      // A letter without a mark that is missing is still read.
      const bare = segment.normalize('NFD').replace(/\p{M}/gu, '');
      if (bare === '' || !hasShape(bare)) return undefined;
      drawn += bare;
    }
  }
  return drawn.replace(/\s+/g, ' ').trim();
}

function hasShape(text: string): boolean {
  return [...text].every((letter) => shapeless.test(letter) || covered.has(letter.codePointAt(0) ?? 0));
}
