import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { ProvedTokens } from './proved-tokens.ts';

const now = Date.parse('2026-11-22T10:00:00Z');
beforeEach(() => void jest.useFakeTimers({ now }));
afterEach(() => void jest.useRealTimers());

test('a proof counts for that token alone', () => {
  const proved = new ProvedTokens();
  proved.add('a.b.c', now / 1000 + 300);
  expect([proved.includes('a.b.c'), proved.includes('a.b.d')]).toEqual([true, false]);
});

test.each([
  ['for a minute', 300, 60_000],
  ['no longer than the token', 20, 20_000],
])('a proof counts %s', (_, lifetime, countsMs) => {
  const proved = new ProvedTokens();
  proved.add('a.b.c', now / 1000 + lifetime);
  jest.advanceTimersByTime(countsMs - 1);
  expect(proved.includes('a.b.c')).toBe(true);
  jest.advanceTimersByTime(1);
  expect(proved.includes('a.b.c')).toBe(false);
});

test('proofs are bounded: the oldest are forgotten', () => {
  const proved = new ProvedTokens();
  for (let count = 0; count <= 10_000; count += 1) proved.add(`token-${count}`, now / 1000 + 300);
  expect([proved.includes('token-0'), proved.includes('token-10000')]).toEqual([false, true]);
});
