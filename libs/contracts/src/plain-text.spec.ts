import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { line, publicName, query, requiredLine, text } from './fields.ts';

interface Pasted {
  readonly in: string;
  readonly from: string;
  readonly stored?: string;
  readonly message?: string;
}
const pasted = JSON.parse(readFileSync(new URL('../cases/pasted.json', import.meta.url), 'utf8')) as {
  readonly cases: readonly Pasted[];
};
const firstMessage = (value: string) => text(200).safeParse(value).error?.issues[0]?.message;

test.each(pasted.cases)('$from [contracts-4]', ({ in: typed, stored, message }) => {
  expect(firstMessage(typed)).toBe(message);
  if (stored === undefined) return;
  expect(text(200).parse(typed)).toBe(stored);
  expect(text(200).parse(stored)).toBe(stored);
});

test('the limit counts the text after normalization', () => {
  expect(text(3).parse('a\u200b\u00adb\ue000c')).toBe('abc');
  expect(firstMessage('a'.repeat(201))).toBe('Must be at most 200 characters.');
});

test.each([
  ['a delete', 'a\u007fb'],
  ['a C1 control', 'a\u0086b'],
  ['a zero-width space', 'a\u200bb'],
  ['a word joiner', 'a\u2060b'],
  ['a byte order mark', 'a\ufeffb'],
  ['a soft hyphen', 'a\u00adb'],
  ['a combining grapheme joiner', 'a\u034fb'],
  ['a Hangul filler', 'a\u3164b'],
  ['a half-width Hangul filler', 'a\uffa0b'],
  ['a Hangul choseong filler', 'a\u115fb'],
  ['a Mongolian vowel separator', 'a\u180eb'],
  ['an override', 'a\u202eb'],
  ['an isolate', 'a\u2066b'],
  ['a left-to-right mark without right-to-left text', 'a\u200eb'],
  ['a right-to-left mark without right-to-left text', 'a\u200fb'],
  ['an Arabic letter mark without Arabic text', 'a\u061cb'],
  ['tag characters', 'a\u{e0061}\u{e0062}b'],
  ['tag characters after an emoji other than the black flag', '😀\u{e0067}\u{e0062}\u{e0065}\u{e007f}'],
  ['a flag of tags without an end', '🏴\u{e0067}\u{e0062}\u{e0065}'],
  ['a variation selector after a letter', 'a\ufe0fb'],
  ['a variation selector alone', '\ufe0f'],
  ['two variation selectors', '❤\ufe0f\ufe0f'],
  ['a variation selector after a digit without a keycap', '1\ufe0f'],
  ['a supplementary variation selector after a letter', 'a\u{e0100}'],
  ['a joiner between Latin letters', 'a\u200db'],
  ['a non-joiner between Latin letters', 'a\u200cb'],
  ['a joiner after an emoji without a second emoji', '😀\u200d'],
  ['a non-character', 'a\ufdd0b'],
  ['a non-character of a higher plane', 'a\u{1ffff}b'],
  ['private use', 'a\ue000b'],
  ['an interlinear annotation', 'a\ufff9b'],
  ['a musical symbol that is blank', 'a\u{1d159}b'],
  ['a musical control', 'a\u{1d173}b'],
])('%s is removed [contracts-5]', (_, value = '') => {
  const parsed = text(200).parse(value);
  expect(parsed.length).toBeLessThan(value.length);
  expect(text(200).parse(parsed)).toBe(parsed);
});

test('the Braille blank becomes a space', () => {
  expect(text(20).parse('⠓⠊\u2800⠽⠕⠥')).toBe('⠓⠊ ⠽⠕⠥');
});

test.each([
  'Amara Okafor',
  'Zoë Ångström – « 12 € », ½ × ²',
  'Анна Каренина',
  'Ελένη Παπαδοπούλου',
  'محمد بن سلمان',
  'می‌خواهم', // Persian, with its non-joiner
  'שָׁלוֹם עֲלֵיכֶם', // pointed
  'חדר 12\u200f (א)', // a direction mark in right-to-left text
  'अनुष्का शर्मा',
  'क्‍ष', // Devanagari with a joiner
  'ශ්‍රී ලංකා',
  'ഇൻഡ്യൻ',
  'ভাষা',
  'தமிழ்',
  'ภาษาไทยที่ผู้เขียน',
  'Nguyễn Thị Hồng',
  '東京 葛\u{e0100}飾区', // a variant of the second character, which names need
  '김철수',
  'བོད་སྐད།',
  'ᠮᠣᠩᠭᠣᠯ',
  'ქართული, Հայերեն, አማርኛ',
  '👨‍👩‍👧 ❤️ ❤ 🧑🏽‍🎨 🏳️‍🌈 ❤️‍🔥 🐻‍❄️ ⛹🏽‍♀️ 1️⃣ #️⃣ ☎︎',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏴󠁧󠁢󠁳󠁣󠁴󠁿 🇩🇪',
  'tabs\tand\nlines\r\n',
])('%s is accepted unchanged', (value) => {
  const parsed = text(200).parse(value);
  expect(parsed).toBe(value.normalize('NFC').replaceAll('\r', '').trim());
  expect(text(200).parse(JSON.parse(JSON.stringify(parsed)))).toBe(parsed);
});

test('is normalized to NFC', () => {
  expect(text(20).parse('Zoe\u0308')).toBe('Zoë');
});

test('a rare line break becomes a space in a single line', () => {
  expect(requiredLine(20).parse('Letters\u000bto\u2028Amara')).toBe('Letters to Amara');
  expect(requiredLine(20).safeParse('a\r\nBcc: b').error?.issues[0]?.message).toBe('Must be a single line.');
});

test('a multi-line search becomes one line', () => {
  expect(query(20).parse(' amara\u00ad\n okafor ')).toBe('amara okafor');
});

test('the longest text of joiners and selectors parses in time', () => {
  expect(text(5000).parse('\u200d\ufe0f\u200c\u180e\u180b'.repeat(10_000))).toBe('');
});

test.each(['', ' ', '\u00a0\u2003', '\u3000', '\u0301\u0302', '\u2028'])(
  'required text refuses the blank text %j [contracts-6]',
  (value) => {
    expect(requiredLine(20).safeParse(value).error?.issues[0]?.message).toBe('This field is required.');
  },
);

test.each([requiredLine, line, publicName])('a tab in one line becomes a space, in %p', (schema) => {
  expect(schema(20).parse('Amara\tOkafor\t')).toBe('Amara Okafor');
});
