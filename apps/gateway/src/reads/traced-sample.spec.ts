import { afterEach, expect, jest, test } from '@jest/globals';
import { tracedSample } from './traced-sample.ts';

afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

const sampleOf = (share: number, perSecond: number) =>
  tracedSample({ PUBLIC_READS_SAMPLED: share, PUBLIC_READS_SAMPLED_PER_SECOND: perSecond });

test.each([
  [0, 0],
  [0.25, 250],
  [1, 1000],
])('a share of %f samples %i of a thousand reads', (share, taken) => {
  let drawn = 0;
  jest.spyOn(Math, 'random').mockImplementation(() => (drawn++ % 1000) / 1000);
  const isTaken = sampleOf(share, 10_000);
  expect(Array.from({ length: 1000 }, isTaken).filter(Boolean)).toHaveLength(taken);
});

test('the sample of a second does not exceed its setting', () => {
  jest.useFakeTimers();
  const isTaken = sampleOf(1, 3);
  const taken = () => Array.from({ length: 100 }, isTaken).filter(Boolean).length;
  expect([taken(), taken()]).toEqual([3, 0]);
  jest.advanceTimersByTime(1000);
  expect(taken()).toBe(3);
});
