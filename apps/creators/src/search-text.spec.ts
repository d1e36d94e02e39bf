import { expect, test } from '@jest/globals';
import { searchFor, searchText, titleText } from './search-text.ts';

test('wildcards of LIKE are escaped', () => {
  expect(searchFor('100%_\\').pattern).toBe('%100\\%\\_\\\\%');
});

test('the search text has a line per field and per word after punctuation, each word after a blank', () => {
  const text = searchText({ displayName: 'Ama', username: 'ama_writes', bio: 'Poems (and proše)' });
  expect(text).toBe(' ama\n poems (and prose)\n and\n ama_writes\n ama\n writes');
});

test('a title has a line of its own, and one for each word after punctuation', () => {
  expect(titleText('Lettres d’été (PDF)')).toBe(" lettres d'ete (pdf)\n ete\n pdf");
});

test.each([
  ['É', '% e%', true],
  ['ab', '% ab%', true],
  ['abc', '%abc%', true],
  ['山', '% 山%', true],
  ['🎨', '% 🎨%', false],
  ['!!!', '%!!!%', false],
] as const)('searches for %s as %s', (query, pattern, isIndexed) => {
  expect(searchFor(query)).toEqual({ pattern, isIndexed });
});
