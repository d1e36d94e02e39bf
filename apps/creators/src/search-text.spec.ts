import { expect, test } from 'vitest';
import { folded, literal, searchText } from './search-text.ts';

test.for([
  ['Zoë Ångström', 'zoe angstrom'],
  ['  Two\n words\t', 'two words'],
  ['ﬁne ÉCLAT', 'fine eclat'],
  ['Đặng Ω', 'đang ω'],
] as const)('%s folds to %s', ([text, expected]) => {
  expect(folded(text)).toBe(expected);
  expect(folded(folded(text))).toBe(expected);
});

test('wildcards of LIKE are themselves', () => {
  expect(literal('100%_\\')).toBe('100\\%\\_\\\\');
});

test('no match spans two fields', () => {
  const text = searchText({ displayName: 'Ama', username: 'ama-writes', bio: 'Poems' });
  expect(text).toBe('ama\nama-writes\npoems');
});
