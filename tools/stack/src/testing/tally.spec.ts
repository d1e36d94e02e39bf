import { expect, it } from '@jest/globals';
import type { Run } from './nx-run.ts';
import type { Counts } from './reports.ts';
import { tally } from './tally.ts';

const ran = (...tasks: [projectName: string, target: string, status: number][]): Run => ({
  tasks: tasks.map(([projectName, target, status]) => ({ projectName, target, status })),
});
const reports: Record<string, Counts> = {
  'a:unit': { passed: 9, failed: 0, skipped: 2 },
  'b:unit': { passed: 8, failed: 3, skipped: 0 },
  'c:unit': { passed: 1, failed: 0, skipped: 0 },
};
const reportOf = (project: string, target: string) => reports[`${project}:${target}`];

it('counts each test, and every other task as one', () => {
  expect(tally(ran(['a', 'unit', 0], ['a', 'lint', 0], ['d', 'build', 0]), reportOf)).toEqual({
    passed: 11,
    failed: 0,
    skipped: 2,
  });
});

it('counts failures, and a task that fails without a count as one', () => {
  expect(tally(ran(['b', 'unit', 1], ['a', 'typecheck', 1]), reportOf)).toEqual({
    passed: 8,
    failed: 4,
    failures: ['b:unit', 'a:typecheck'],
  });
});

it('counts a run of tests that fails without a failed test', () => {
  expect(tally(ran(['c', 'unit', 1]), reportOf)).toEqual({
    passed: 1,
    failed: 1,
    failures: ['c:unit'],
  });
});
