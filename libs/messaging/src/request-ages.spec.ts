import { expect, test } from '@jest/globals';
import { RequestAges, SendingClock } from './request-ages.ts';

test('what takes longer than the fastest of its sender is older by the difference', () => {
  const ages = new RequestAges();
  expect(ages.ageOf('a 1000', 51_020)).toBe(0);
  expect(ages.ageOf('a 2000', 52_010)).toBe(0);
  expect(ages.ageOf('a 3000', 59_010)).toBeGreaterThan(5990);
  // By what it knows of a, and nothing of b.
  expect(ages.ageOf('b 3000', 59_010)).toBe(0);
});

test('clocks that drift apart make nothing late', () => {
  const ages = new RequestAges();
  const most = Array.from({ length: 86_400 }, (_, second) =>
    ages.ageOf(`a ${second * 1000}`, second * 1000.5 + 3),
  );
  expect(Math.max(...most)).toBeLessThan(1);
});

test('nothing is known of what says nothing', () => {
  const ages = new RequestAges();
  expect([undefined, '', 'a', 'a soon', 'a NaN'].map((sent) => ages.ageOf(sent, 5000))).toEqual([
    0, 0, 0, 0, 0,
  ]);
});

test('a clock by another name is another clock', () => {
  const clock = new SendingClock();
  const nameOf = (said: string) => said.split(' ')[0];
  const said = clock.now();
  expect(nameOf(clock.now())).toBe(nameOf(said));
  clock.rename(said);
  const again = clock.now();
  expect(nameOf(again)).not.toBe(nameOf(said));
  // Of many that were late at once, the first has renamed it.
  clock.rename(said);
  expect(nameOf(clock.now())).toBe(nameOf(again));
});
