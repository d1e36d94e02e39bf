import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';

const script = readFileSync(join(import.meta.dirname, '../../public/early-input.js'), 'utf8');
let readyState: DocumentReadyState;
let listening: jest.SpiedFunction<typeof window.addEventListener>;

beforeEach(() => {
  readyState = 'loading';
  jest.spyOn(document, 'readyState', 'get').mockImplementation(() => readyState);
  document.head.innerHTML =
    '<template id="code"><script type="module" src="/assets/code.js"></script></template>';
  listening = jest.spyOn(window, 'addEventListener');
  (0, eval)(script);
});
afterEach(() => {
  for (const [type, listener, options] of listening.mock.calls) removeEventListener(type, listener, options);
  document.head.innerHTML = '';
});

const begun = () => document.head.querySelector('script[src="/assets/code.js"]') !== null;
function parsed(): void {
  readyState = 'interactive';
  dispatchEvent(new Event('DOMContentLoaded'));
}
function lose(src: string): void {
  const lost = document.createElement('script');
  lost.src = src;
  document.head.append(lost);
  lost.dispatchEvent(new Event('error'));
}

test('without the script that begins it the code begins once all of the page is there', () => {
  lose('/assets/begin-code-OldHash1.js');
  expect(begun()).toBe(false);
  parsed();
  expect(begun()).toBe(true);
});

test('another script that does not come begins nothing', () => {
  lose('/theme.js');
  parsed();
  expect(begun()).toBe(false);
});
