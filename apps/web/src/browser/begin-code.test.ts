import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { pageOnItsWay } from './page-on-its-way.ts';

const { run, begun, parsed } = pageOnItsWay(readFileSync(join(import.meta.dirname, 'begin-code.js'), 'utf8'));

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
  delete document.documentElement.dataset.returning;
});

test.each(['pointerdown', 'keydown', 'click'])(
  'a %s while the page still comes begins its code once all of it is there',
  (type) => {
    document.body.innerHTML = '<img fetchpriority="high" src="/never.avif">';
    run();
    document.body.dispatchEvent(new Event(type, { bubbles: true }));
    expect(begun()).toBe(false);
    parsed();
    expect(begun()).toBe(true);
  },
);

test('a page without anybody waits for its picture, a second at most', () => {
  document.body.innerHTML = '<img fetchpriority="high" src="/never.avif">';
  run();
  parsed();
  jest.advanceTimersByTime(999);
  expect(begun()).toBe(false);
  jest.advanceTimersByTime(1);
  expect(begun()).toBe(true);
});

test('who was signed in waits for no picture, since the menu waits for the code', () => {
  document.body.innerHTML = '<img fetchpriority="high" src="/never.avif">';
  document.documentElement.dataset.returning = '';
  run();
  expect(begun()).toBe(false);
  parsed();
  expect(begun()).toBe(true);
});
