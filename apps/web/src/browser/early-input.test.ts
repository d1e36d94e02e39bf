import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { pageOnItsWay } from './page-on-its-way.ts';

const { run, begun, parsed } = pageOnItsWay(
  readFileSync(join(import.meta.dirname, '../../public/early-input.js'), 'utf8'),
);

beforeEach(() => {
  run();
});

function lose(src: string): void {
  const lost = document.createElement('script');
  lost.src = src;
  document.head.append(lost);
  lost.dispatchEvent(new Event('error'));
}

test('the code begins after parsing if the script that begins it fails to load', () => {
  lose('/assets/begin-code-OldHash1.js');
  expect(begun()).toBe(false);
  parsed();
  expect(begun()).toBe(true);
});

test('the failure of another script does not begin the code', () => {
  lose('/theme.js');
  parsed();
  expect(begun()).toBe(false);
});
