import { expect, test } from '@jest/globals';
import { literal, searchText } from './search-text.ts';

test('wildcards of LIKE are themselves', () => {
  expect(literal('100%_\\')).toBe('100\\%\\_\\\\');
});

test('no match spans two fields', () => {
  const text = searchText({ displayName: 'Ama', username: 'ama-writes', bio: 'Poems' });
  expect(text).toBe('ama\nama-writes\npoems');
});
