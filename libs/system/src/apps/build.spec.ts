import { expect, test } from '@jest/globals';
import { saidByFailed } from './build.ts';

test('of all that was built side by side, what the workspace that failed has said is shown', () => {
  const lines = [
    '@stoa/web: [plugin weight-limit]',
    '@stoa/gateway: > tsc -b',
    '@stoa/web: RolldownError: a page weighs too much',
    ' NX   Running target build for 12 projects failed',
    'Failed tasks:',
    '- @stoa/web:build',
  ];
  expect(saidByFailed(lines)).toEqual([lines[0], lines[2]]);
});

test('where no workspace is named, everything is shown', () => {
  expect(saidByFailed(['nx was not found'])).toEqual(['nx was not found']);
});
