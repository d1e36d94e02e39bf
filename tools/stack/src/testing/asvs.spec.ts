import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { inRepository } from '@stoa/system/paths';
import { claimsOf, readRequirements, summaryOf } from './asvs.ts';
import { missingTests } from './named-tests.ts';

const rows = (ids: readonly string[], level: 1 | 2) =>
  ids.map((id) => `| ${id} | ${level} | something | Not applicable: there is no such thing here |`);
const ids = (count: number, chapter: number) =>
  Array.from({ length: count }, (_, index) => `${chapter}.1.${index + 1}`);
const table = (first: string) => [first, ...rows(ids(69, 20), 1), ...rows(ids(183, 21), 2)].join('\n');

it('reads a row for each requirement of both levels from docs/evidence/asvs.md', () => {
  const requirements = readRequirements(readFileSync(inRepository('docs/evidence/asvs.md'), 'utf8'));
  expect(requirements).toHaveLength(253);
});

it('reports cited tests that did not pass, with their requirement', () => {
  const requirements = readRequirements(table('| 1.1.1 | 1 | something | Met: `edge-1`, `edge-2` |'));
  const id = 'edge-1';
  const passed = [{ file: 'a/b.spec.ts', title: `a token is refused [${id}]` }];
  expect(missingTests(claimsOf(requirements), passed)).toEqual(['1.1.1: edge-2']);
  expect(summaryOf(requirements)).toBe('level 1: 1 of 1 that apply, level 2: 0 of 0 that apply');
});

it.each([
  [
    'a row that is there twice',
    '| 20.1.1 | 1 | something | Open: nobody has looked at it yet |',
    'Duplicates',
  ],
  ['a missing row', '', 'Level 1 has 69 rows'],
  ['met without a test', '| 1.1.1 | 1 | something | Met: by design |', 'names no test'],
  ['no reason', '| 1.1.1 | 1 | something | Open: later |', 'gives no reason'],
  ['another word', '| 1.1.1 | 1 | something | Done: `edge-1` |', 'Not a row'],
])('refuses %s', (_, first, message) => {
  expect(() => readRequirements(table(first))).toThrow(message);
});
