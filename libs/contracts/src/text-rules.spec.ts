import { expect, test } from '@jest/globals';
import { line, publicName, requiredLine, text } from './fields.ts';

const unseen = 'Contains characters that cannot be shown.';
const firstMessage = (value: string) => text(200).safeParse(value).error?.issues[0]?.message;

test.each([
  ['a NUL', 'a\u0000b'],
  ['a delete', 'a\u007fb'],
  ['a C1 control', 'a\u0085b'],
  ['a zero-width space', 'a\u200bb'],
  ['a word joiner', 'a\u2060b'],
  ['a byte order mark', 'a\ufeffb'],
  ['a soft hyphen', 'a\u00adb'],
  ['a combining grapheme joiner', 'a\u034fb'],
  ['a Hangul filler', 'a\u3164b'],
  ['a half-width Hangul filler', 'a\uffa0b'],
  ['a Hangul choseong filler', 'a\u115fb'],
  ['a Braille blank', 'a\u2800b'],
  ['a Mongolian vowel separator', 'a\u180eb'],
  ['an override', 'a\u202eb'],
  ['an isolate', 'a\u2066b'],
  ['a left-to-right mark where nothing runs right to left', 'a\u200eb'],
  ['a right-to-left mark where nothing runs right to left', 'a\u200fb'],
  ['an Arabic letter mark where nothing is Arabic', 'a\u061cb'],
  ['tag characters', 'a\u{e0061}\u{e0062}b'],
  ['tag characters behind another emoji than the black flag', '😀\u{e0067}\u{e0062}\u{e0065}\u{e007f}'],
  ['a flag of tags without an end', '🏴\u{e0067}\u{e0062}\u{e0065}'],
  ['a variation selector behind a letter', 'a\ufe0fb'],
  ['a variation selector alone', '\ufe0f'],
  ['two variation selectors', '❤\ufe0f\ufe0f'],
  ['a variation selector behind a digit that is no keycap', '1\ufe0f'],
  ['a supplementary variation selector behind a letter', 'a\u{e0100}'],
  ['a joiner between Latin letters', 'a\u200db'],
  ['a non-joiner between Latin letters', 'a\u200cb'],
  ['a joiner behind an emoji with nothing to join', '😀\u200d'],
  ['two joiners', 'می\u200c\u200cخواهم'],
  ['a non-character', 'a\ufdd0b'],
  ['a non-character of a higher plane', 'a\u{1ffff}b'],
  ['private use', 'a\ue000b'],
  ['an interlinear annotation', 'a\ufff9b'],
  ['a musical symbol that is blank', 'a\u{1d159}b'],
  ['a musical control', 'a\u{1d173}b'],
])('%s is refused', (_, value) => {
  expect(firstMessage(value as string)).toBe(unseen);
});

test.each([
  'Amara Okafor',
  'Zoë Ångström – « 12 € », ½ × ²',
  'Анна Каренина',
  'Ελένη Παπαδοπούλου',
  'محمد بن سلمان',
  'می‌خواهم', // Persian, with its non-joiner
  'שָׁלוֹם עֲלֵיכֶם', // pointed
  'חדר 12\u200f (א)', // a direction mark where it belongs
  'अनुष्का शर्मा',
  'क्‍ष', // Devanagari with a joiner
  'ශ්‍රී ලංකා',
  'ഇൻഡ്യൻ',
  'ভাষা',
  'தமிழ்',
  'ภาษาไทยที่ผู้เขียน',
  'Nguyễn Thị Hồng',
  '東京 葛\u{e0100}飾区', // a form of the first character that names need
  '김철수',
  'བོད་སྐད།',
  'ᠮᠣᠩᠭᠣᠯ',
  'ქართული, Հայերեն, አማርኛ',
  '👨‍👩‍👧 ❤️ ❤ 🧑🏽‍🎨 🏳️‍🌈 ❤️‍🔥 🐻‍❄️ ⛹🏽‍♀️ 1️⃣ #️⃣ ☎︎',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏴󠁧󠁢󠁳󠁣󠁴󠁿 🇩🇪',
  'tabs\tand\nlines\r\n',
])('%s is accepted unchanged', (value) => {
  const parsed = text(200).parse(value);
  expect(parsed).toBe(value.normalize('NFC').trim());
  expect(text(200).parse(JSON.parse(JSON.stringify(parsed)))).toBe(parsed);
});

test('is normalized to NFC', () => {
  expect(text(20).parse('Zoe\u0308')).toBe('Zoë');
});

test('stacked combining marks are refused', () => {
  expect(firstMessage(`Z${'\u0335\u0321'.repeat(8)}algo`)).toBe('Contains too many marks on one letter.');
});

test.each(['', ' ', '\u00a0\u2003', '\u3000', '\u0301\u0302', '\u2028'])(
  'blank required text is missing: %j',
  (value) => {
    expect(requiredLine(20).safeParse(value).error?.issues[0]?.message).toBe('This field is required.');
  },
);

test.each([requiredLine, line, publicName])('a tab in one line becomes a space, in %p', (schema) => {
  expect(schema(20).parse('Amara\tOkafor\t')).toBe('Amara Okafor');
});
