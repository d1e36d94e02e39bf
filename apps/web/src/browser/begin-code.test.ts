import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';

const script = readFileSync(join(import.meta.dirname, 'begin-code.js'), 'utf8');
let readyState: DocumentReadyState;
let listening: jest.SpiedFunction<typeof window.addEventListener>;

// As the parser comes to it, within a head whose page is still on its way.
beforeEach(() => {
  readyState = 'loading';
  jest.spyOn(document, 'readyState', 'get').mockImplementation(() => readyState);
  jest.useFakeTimers();
  document.head.innerHTML =
    '<template id="code"><script type="module" src="/assets/code.js"></script></template>';
  listening = jest.spyOn(window, 'addEventListener');
});
afterEach(() => {
  for (const [type, listener, options] of listening.mock.calls) removeEventListener(type, listener, options);
  jest.useRealTimers();
  document.head.innerHTML = '';
  document.body.innerHTML = '';
  delete document.documentElement.dataset.returning;
});

const run = () => (0, eval)(script) as unknown;
const begun = () => document.head.querySelector('script[src="/assets/code.js"]') !== null;
function parsed(): void {
  readyState = 'interactive';
  dispatchEvent(new Event('DOMContentLoaded'));
}

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
