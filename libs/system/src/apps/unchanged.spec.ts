import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtFiles } from './unchanged.ts';

let root: string;
const put = (path: string, text: string) => {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), text);
};
const files = () => builtFiles(root, join(root, '.nx/built'));

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'stoa-unchanged-'));
  for (const path of ['libs/x', 'tools/x']) mkdirSync(join(root, path), { recursive: true });
  for (const path of ['package-lock.json', 'tsconfig.base.json', 'nx.json']) put(path, '{}');
  put('apps/shop/src/main.ts', 'one');
  put('apps/shop/dist/main.js', 'one');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it('a checkout without a build counts as changed', () => {
  expect(files().unchanged()).toBe(false);
});

it.each([
  ['a source that was changed', () => put('apps/shop/src/main.ts', 'other')],
  ['a source that is new', () => put('apps/shop/src/more.ts', '')],
  ['an output that was changed', () => put('apps/shop/dist/main.js', 'other')],
  ['an output that is gone', () => rmSync(join(root, 'apps/shop/dist'), { recursive: true })],
  ['other packages', () => put('package-lock.json', '{ }')],
])('detects %s', (_, change) => {
  files().note();
  expect(files().unchanged()).toBe(true);
  change();
  expect(files().unchanged()).toBe(false);
});

it('detects a source that changes during the build', () => {
  const build = files();
  put('apps/shop/src/main.ts', 'other');
  build.note();
  expect(files().unchanged()).toBe(false);
});

it('ignores changed tests', () => {
  files().note();
  put('apps/shop/test/main.spec.ts', '');
  expect(files().unchanged()).toBe(true);
});
