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
  'a %s during parsing begins the code once the page is parsed',
  (type) => {
    document.body.innerHTML = '<img fetchpriority="high" src="/never.avif">';
    run();
    document.body.dispatchEvent(new Event(type, { bubbles: true }));
    expect(begun()).toBe(false);
    parsed();
    expect(begun()).toBe(true);
  },
);

test('without input, the code waits for the first picture, a second at most', () => {
  document.body.innerHTML = '<img fetchpriority="high" src="/never.avif">';
  run();
  parsed();
  jest.advanceTimersByTime(999);
  expect(begun()).toBe(false);
  jest.advanceTimersByTime(1);
  expect(begun()).toBe(true);
});

test('for a signed-in user the code does not wait for the picture, as the menu needs it', () => {
  document.body.innerHTML = '<img fetchpriority="high" src="/never.avif">';
  document.documentElement.dataset.returning = '';
  run();
  expect(begun()).toBe(false);
  parsed();
  expect(begun()).toBe(true);
});
