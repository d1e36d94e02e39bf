import { expect, test } from '@jest/globals';
import { foldText } from './folded.ts';

test.each([
  ['Zoë Ångström', 'zoe angstrom'],
  ['  Two\n words\t', 'two words'],
  ['ﬁne ÉCLAT', 'fine eclat'],
  ['Đặng Ω', 'đang ω'],
  ['O’Brien ʼn ‘quoted’', "o'brien 'n 'quoted'"],
  ['5″ ŉ \u1fef', "5'' 'n '"],
] as const)('%s folds to %s', (text, expected) => {
  expect(foldText(text)).toBe(expected);
  expect(foldText(foldText(text))).toBe(expected);
});
