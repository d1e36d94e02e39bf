import { expect, test } from '@jest/globals';
import { matchesSearch, searchLines, searchWords } from './search-text.ts';

test('a search finds words anywhere in a text, in any order', () => {
  const lines = searchLines(['Elias Haddad', 'kitchen-table']);
  expect(matchesSearch(lines, searchWords('table hadd lias'))).toBe(true);
  expect(matchesSearch(lines, searchWords('table amara'))).toBe(false);
});

test('the search text has a line for each text and a last line of additional words', () => {
  expect(searchLines(['Co‑op (PDF)', 'Mei 田中芽衣', 'd’or'])).toBe(
    ' co op (pdf)\n mei 田中芽衣\n dor\n coop or pdf 中芽 芽衣 衣',
  );
});

test.each([
  ['はじめてのAI講座', 'ai'],
  ['全3巻', '3巻'],
  ['来年3月', '3月'],
  ['第10話', '10'],
  ['무료3D모델링', '3d'],
  ['เรียนรู้AIง่ายๆ', 'ai'],
  ['入門の３－Ｄ', '3d'],
])('the last line for %s contains the word %s', (text, word) => {
  expect(searchLines([text]).split('\n').at(-1)?.split(' ')).toContain(word);
});

test('part of a word in a script with spaces is not a word', () => {
  expect(searchLines(['gpt4all', 'урок3', '12月'])).toBe(' gpt4all\n урок3\n 12月\n 月');
});

test('a query has distinct words, with all forms of a hyphenated word', () => {
  expect(searchWords('@Ada, e-mail Ada kitchen-table (x) 100% — …')).toEqual([
    ['ada'],
    ['e mail', 'email'],
    ['kitchen'],
    ['table'],
    ['x'],
    ['100%'],
    ['...'],
  ]);
  expect(searchWords(' - ’ \u00ad ')).toEqual([]);
});

test('a topic is found with and without its sign, but no number or language that has one', () => {
  expect(matchesSearch(searchLines(['Letters by hand']), searchWords('#letters'))).toBe(true);
  expect(matchesSearch(searchLines(['#letters']), searchWords('letters'))).toBe(true);
  expect(searchWords('#1 C#')).toEqual([['#1'], ['c#']]);
});
