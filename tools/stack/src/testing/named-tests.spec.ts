import { expect, it } from '@jest/globals';
import { checkTestIds } from './checks.ts';
import { citedTestsIn, declaredIds, faultyIds, idsIn, missingTests } from './named-tests.ts';

/** A title's id. It is composed here, so that the ids of this file do not count. */
const mark = (number: number) => `[web-${number}]`;
const claim = (text: string) => [{ id: 'A link is copied', tests: citedTestsIn(text) }];

it('finds a cited test among the passed ones by its id only', () => {
  const passed = [
    { file: 'apps/web/src/a.test.ts', title: `a link is copied ${mark(1)}` },
    { file: 'apps/web/src/a.test.ts', title: `cases of a draft are copied ${mark(12)}` },
    { file: 'apps/e2e/spec/b.spec.ts', title: '2.home.empty Nothing.; 2.home.all Everything.' },
  ];
  expect(missingTests(claim('`web-1`, `2.home.empty`, `2.home.all`'), passed)).toEqual([]);
  expect(missingTests(claim('`web-12` “a draft”'), passed)).toEqual([]);
  expect(missingTests(claim('`web-2`, `web-12` “an offering”, `2.home`, `e2e-1`'), passed)).toEqual([
    'A link is copied: web-2',
    'A link is copied: web-12 “an offering”',
    'A link is copied: 2.home',
    'A link is copied: e2e-1',
  ]);
});

it('reads the ids that tests declare at the end of their titles', () => {
  const source = [
    `it('a link is copied ${mark(1)}', () => {});`,
    `test.each([["web-9"]])("a %s is copied ${mark(2)}", () => {});`,
    `test("${mark(3)} in front", () => {});`,
  ].join('\n');
  expect(idsIn(source)).toEqual(['web-1', 'web-2']);
});

it('refuses an id that two tests declare, and a cited id that no test declares', () => {
  const declarations = new Map([
    ['web-1', ['a.test.ts']],
    ['web-2', ['a.test.ts', 'b.test.ts']],
  ]);
  expect(faultyIds(declarations, claim('`web-1`, `web-3`, `2.home.empty`'))).toEqual([
    'web-2 is declared twice: a.test.ts, b.test.ts',
    'A link is copied: no test has the id web-3',
  ]);
});

it('finds each cited id of this repository in one test', async () => {
  expect(declaredIds().size).toBeGreaterThan(500);
  await expect(checkTestIds()).resolves.toBeUndefined();
});
