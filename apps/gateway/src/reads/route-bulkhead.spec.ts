import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { RouteBulkhead } from './route-bulkhead.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A bulkhead for one load, which is already running, and the results of the loads that wait. */
function fullBulkhead() {
  const bulkhead = new RouteBulkhead(1);
  bulkhead.take('/x');
  const results: string[] = [];
  const wait = (name: string, route = '/x') =>
    bulkhead.wait(route, (isFree) => {
      if (isFree) bulkhead.take(route);
      results.push(`${name} ${isFree}`);
    });
  return { bulkhead, results, wait };
}

test('a free place goes to the load that has waited longest', () => {
  const { bulkhead, results, wait } = fullBulkhead();
  wait('first');
  wait('second');
  bulkhead.free('/x');
  expect(results).toEqual(['first true']);
});

test('a place that is not taken goes to the next load immediately', () => {
  const { bulkhead, results, wait } = fullBulkhead();
  bulkhead.wait('/x', () => results.push('gone'));
  wait('second');
  wait('third');
  bulkhead.free('/x');
  expect(results).toEqual(['gone', 'second true']);
});

test('a load is refused after half a second, and takes no place later', () => {
  const { bulkhead, results, wait } = fullBulkhead();
  wait('first');
  jest.advanceTimersByTime(499);
  expect(results).toEqual([]);
  jest.advanceTimersByTime(1);
  wait('second');
  bulkhead.free('/x');
  expect(results).toEqual(['first false', 'second true']);
});

test('routes do not share places', () => {
  const { bulkhead, results, wait } = fullBulkhead();
  wait('first');
  bulkhead.take('/y');
  bulkhead.free('/y');
  expect([results, bulkhead.isFull('/x'), bulkhead.isFull('/y')]).toEqual([[], true, false]);
});

test('a load is refused immediately when the queue is full', () => {
  const { results, wait } = fullBulkhead();
  for (let count = 0; count < 4096; count += 1) wait(`${count}`);
  wait('one more');
  expect(results).toEqual(['one more false']);
});
