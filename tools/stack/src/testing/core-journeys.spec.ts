import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { inRepository } from '@stoa/system/paths';
import { coreArguments, coreJourneys } from './core-journeys.ts';
import { idsIn } from './named-tests.ts';

test('every core journey is a browser test of its file', () => {
  for (const [file, ids] of Object.entries(coreJourneys)) {
    const declared = idsIn(readFileSync(inRepository('apps/e2e', file), 'utf8'));
    expect(ids.filter((id) => !declared.includes(id))).toEqual([]);
  }
});

test('the core journeys are selected by file and complete id', () => {
  const pattern = new RegExp(coreArguments().at(-1) ?? '');
  const [id = ''] = coreJourneys['journeys/seo.spec.ts'] ?? [];
  expect(pattern.test(`journeys seo.spec.ts an unknown profile [${id}]`)).toBe(true);
  expect(pattern.test(`journeys seo.spec.ts an unknown profile [${id}0]`)).toBe(false);
  expect(pattern.test(`journeys seo.spec.ts an unknown profile [${id}] again`)).toBe(false);
});
