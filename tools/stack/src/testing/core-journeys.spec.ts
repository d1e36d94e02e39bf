import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { inRepository } from '@stoa/system/paths';
import { coreArguments, coreJourneys } from './core-journeys.ts';

test('every core journey is a browser test of its file', () => {
  for (const [file, titles] of Object.entries(coreJourneys)) {
    const source = readFileSync(inRepository('apps/e2e', file), 'utf8');
    for (const title of titles)
      expect(source).toContain(`${title}${source.includes(`"${title}"`) ? '"' : "'"}, async`);
  }
});

test('the core journeys are chosen by file and whole title', () => {
  const pattern = new RegExp(coreArguments().at(-1) ?? '');
  const [title = ''] = coreJourneys['journeys/seo.spec.ts'] ?? [];
  expect(pattern.test(`journeys seo.spec.ts ${title}`)).toBe(true);
  expect(pattern.test(`journeys seo.spec.ts ${title}, again`)).toBe(false);
});
