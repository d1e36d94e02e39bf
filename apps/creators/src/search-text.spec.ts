import { expect, test } from '@jest/globals';
import { searchFor, searchText } from './search-text.ts';

test('wildcards of LIKE are themselves', () => {
  expect(searchFor('100%_\\').pattern).toBe('%100\\%\\_\\\\%');
});

test('each field and each word behind a sign has a line, and every word a blank before it', () => {
  const text = searchText({ displayName: 'Ama', username: 'ama_writes', bio: 'Poems (and proše)' });
  expect(text).toBe(' ama\n poems (and prose)\n and\n ama_writes\n ama\n writes');
});

test.each([
  ['É', '% e%', true],
  ['ab', '% ab%', true],
  ['abc', '%abc%', true],
  ['山', '% 山%', true],
  ['🎨', '% 🎨%', false],
  ['!!!', '%!!!%', false],
] as const)('%s is looked for as %s', (query, pattern, isIndexed) => {
  expect(searchFor(query)).toEqual({ pattern, isIndexed });
});
