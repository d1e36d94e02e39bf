import { expect, test } from '@jest/globals';
import { isPublicOffering } from './choices.ts';

test.each([
  ['draft', false],
  ['published', true],
  ['hidden', false],
  ['sold_out', true],
  ['archived', false],
] as const)('visitors see a page that is %s: %s; they never see a hidden page', (state, isSeen) => {
  expect(isPublicOffering({ state, takenDown: false })).toBe(isSeen);
  expect(isPublicOffering({ state, takenDown: true })).toBe(false);
});
