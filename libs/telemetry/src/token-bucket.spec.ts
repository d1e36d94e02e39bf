import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { tokenBucket } from './token-bucket.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const takenOf = (mayTake: () => boolean) => Array.from({ length: 100 }, mayTake).filter(Boolean).length;

test('allows the rate per second, and never a larger burst', () => {
  const mayTake = tokenBucket(3);
  expect([takenOf(mayTake), takenOf(mayTake)]).toEqual([3, 0]);
  jest.advanceTimersByTime(334);
  expect(takenOf(mayTake)).toBe(1);
  jest.advanceTimersByTime(60_000);
  expect(takenOf(mayTake)).toBe(3);
});

test('allows one call every few seconds at a rate below one per second', () => {
  const mayTake = tokenBucket(0.25);
  expect(takenOf(mayTake)).toBe(1);
  jest.advanceTimersByTime(3000);
  expect(takenOf(mayTake)).toBe(0);
  jest.advanceTimersByTime(1000);
  expect(takenOf(mayTake)).toBe(1);
  jest.advanceTimersByTime(60_000);
  expect(takenOf(mayTake)).toBe(1);
});

test.each([0, -1])('allows nothing at a rate of %d', (perSecond) => {
  const mayTake = tokenBucket(perSecond);
  expect(takenOf(mayTake)).toBe(0);
  jest.advanceTimersByTime(60_000);
  expect(takenOf(mayTake)).toBe(0);
});
