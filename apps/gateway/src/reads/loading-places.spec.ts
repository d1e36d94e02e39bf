import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { LoadingPlaces } from './loading-places.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Places for one, which is taken, and what those were told who wait. */
function onePlace() {
  const places = new LoadingPlaces(1);
  places.take('/x');
  const told: string[] = [];
  const wait = (name: string, route = '/x') =>
    places.wait(route, (isThere) => {
      if (isThere) places.take(route);
      told.push(`${name} ${isThere}`);
    });
  return { places, told, wait };
}

test('a place that is free goes to whoever has waited for the longest', () => {
  const { places, told, wait } = onePlace();
  wait('first');
  wait('second');
  places.free('/x');
  expect(told).toEqual(['first true']);
});

test('a place that whoever is told of it does not want goes to the next at once', () => {
  const { places, told, wait } = onePlace();
  places.wait('/x', () => told.push('gone'));
  wait('second');
  wait('third');
  places.free('/x');
  expect(told).toEqual(['gone', 'second true']);
});

test('who has waited for half a second is refused, and takes no place after that', () => {
  const { places, told, wait } = onePlace();
  wait('first');
  jest.advanceTimersByTime(499);
  expect(told).toEqual([]);
  jest.advanceTimersByTime(1);
  wait('second');
  places.free('/x');
  expect(told).toEqual(['first false', 'second true']);
});

test('a route takes no places of another', () => {
  const { places, told, wait } = onePlace();
  wait('first');
  places.take('/y');
  places.free('/y');
  expect([told, places.isFull('/x'), places.isFull('/y')]).toEqual([[], true, false]);
});

test('no more wait than may: one more is refused at once', () => {
  const { told, wait } = onePlace();
  for (let count = 0; count < 4096; count += 1) wait(`${count}`);
  wait('one more');
  expect(told).toEqual(['one more false']);
});
