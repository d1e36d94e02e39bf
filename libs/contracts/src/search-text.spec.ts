import { expect, test } from '@jest/globals';
import { matchesSearch, searchLines, searchWords } from './search-text.ts';

test('words are found anywhere in a text, in any order', () => {
  const lines = searchLines(['Elias Haddad', 'kitchen-table']);
  expect(matchesSearch(lines, searchWords('table hadd lias'))).toBe(true);
  expect(matchesSearch(lines, searchWords('table amara'))).toBe(false);
});

test('each text has a line, and the last one holds hyphened words, words behind signs and pairs of letters', () => {
  expect(searchLines(['Co‑op (PDF)', 'Mei 田中芽衣', 'd’or'])).toBe(
    ' co op (pdf)\n mei 田中芽衣\n dor\n coop or pdf 中芽 芽衣 衣',
  );
});

test('a query has one word of each kind, with the forms of a hyphened one', () => {
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
