import { expect, test } from '@jest/globals';
import { foldText } from './folded.ts';

test.each([
  ['Zoë Ångström', 'zoe angstrom'],
  ['  Two\n words\t', 'two words'],
  ['ﬁne ÉCLAT', 'fine eclat'],
  ['Đặng Ω', 'dang ω'],
  ['O’Brien ʼn ‘quoted’ ŉ \u1fef', 'obrien n quoted n'],
  ['O´Brien O`Brien OʼBrien', 'obrien obrien obrien'],
  ['ßẞ øØ łŁ ıİ đĐ þÞ œŒ æÆ ðÐ ħĦ ŋŊ ſ', 'ssss oo ll ii dd thth oeoe aeae dd hh nn s'],
  ['a‐b‑c‒d–e—f―g−h﹣i－j', 'a-b-c-d-e-f-g-h-i-j'],
  ['a\u00adb\u200bc\u200cd\u200de\u2060f\ufeffg', 'abcdefg'],
  ['مُحَمَّد أحـمد ٱلی ك٣۴', 'محمد احمد الي ك34'],
  ['שָׁלוֹם', 'שלום'],
  ['ﾀﾅｶ タナカ ガ', 'たなか たなか か'],
  ['한국', '한국'],
  ['ＡＢＣ１ 𝐒𝐭𝐨𝐚', 'abc1 stoa'],
  ['ΟΔΟΣ', 'οδοσ'],
  ['col·lecció CoĿlecció', 'colleccio colleccio'],
] as const)('%s folds to %s', (text, expected) => {
  expect(foldText(text)).toBe(expected);
  expect(foldText(foldText(text))).toBe(expected);
});

test('every Latin letter that Unicode decomposes or Postgres unaccents folds to ASCII', () => {
  const blocks = [...Array(0x250).keys(), ...Array.from({ length: 0x100 }, (_, index) => 0x1e00 + index)];
  const letters = blocks.map((code) => String.fromCodePoint(code)).filter((one) => /\p{L}/u.test(one));
  const kept = letters.filter((letter) => /[^\0-\x7f]/.test(foldText(letter)));
  // Letters for clicks, tones and glottal stops, and some others, have no ASCII equivalent.
  expect(kept.join('')).toBe('µƄƅƍƛƜƟƧƨƩƪƸƹƺƻƼƽƾǀǁǂǃɁɂɅẟ');
});
