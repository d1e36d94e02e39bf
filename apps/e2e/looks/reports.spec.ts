import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../src/repository.ts';
import { screens } from '../src/screens/screens.ts';
import { expect, test } from '../src/test.ts';

const names = screens.map(({ name }) => name).toSorted();
const report = (file: string) => readFileSync(join(repository, 'docs', file), 'utf8');
const found = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, name]) => name).toSorted();

test('docs/screenshots.md shows every screen (else run "npm run stoa screenshots")', () => {
  expect(found(report('screenshots.md'), /^## (.+)$/gm)).toEqual(names);
});

test('docs/accessibility.md has a row for every screen (else run "npm run stoa accessibility")', () => {
  expect(found(report('accessibility.md'), /^\| ([\w-]+) +\| `/gm)).toEqual(names);
});
