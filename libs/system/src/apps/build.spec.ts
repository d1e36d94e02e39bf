import { expect, test } from '@jest/globals';
import { outputOfFailed } from './build.ts';

test('of a parallel build, only lines of the failed workspace are shown', () => {
  const lines = [
    '@stoa/web: [plugin weight-limit]',
    '@stoa/gateway: > tsc -b',
    '@stoa/web: RolldownError: a page weighs too much',
    ' NX   Running target build for 12 projects failed',
    'Failed tasks:',
    '- @stoa/web:build',
  ];
  expect(outputOfFailed(lines)).toEqual([lines[0], lines[2]]);
});

test('every line is shown if no failed workspace is named', () => {
  expect(outputOfFailed(['nx was not found'])).toEqual(['nx was not found']);
});
