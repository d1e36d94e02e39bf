import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { tokenBucket } from './token-bucket.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const takenOf = (mayTake: () => boolean) => Array.from({ length: 100 }, mayTake).filter(Boolean).length;

test('gives a rate a second, and never more than that at once', () => {
  const mayTake = tokenBucket(3);
  expect([takenOf(mayTake), takenOf(mayTake)]).toEqual([3, 0]);
  jest.advanceTimersByTime(334);
  expect(takenOf(mayTake)).toBe(1);
  jest.advanceTimersByTime(60_000);
  expect(takenOf(mayTake)).toBe(3);
});

test('gives one every so many seconds by a rate below one a second', () => {
  const mayTake = tokenBucket(0.25);
  expect(takenOf(mayTake)).toBe(1);
  jest.advanceTimersByTime(3000);
  expect(takenOf(mayTake)).toBe(0);
  jest.advanceTimersByTime(1000);
  expect(takenOf(mayTake)).toBe(1);
  jest.advanceTimersByTime(60_000);
  expect(takenOf(mayTake)).toBe(1);
});

test.each([0, -1])('gives nothing by a rate of %d', (perSecond) => {
  const mayTake = tokenBucket(perSecond);
  expect(takenOf(mayTake)).toBe(0);
  jest.advanceTimersByTime(60_000);
  expect(takenOf(mayTake)).toBe(0);
});
