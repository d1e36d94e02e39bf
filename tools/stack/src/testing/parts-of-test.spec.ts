import { expect, test } from '@jest/globals';
import { changedWorkspaces } from './parts-of-test.ts';

test('the quick selection contains only workspaces of changed files', () => {
  const files = [
    'apps/web/src/main.tsx',
    'apps/web/index.html',
    'libs/system/README.md',
    'docs/slo.md',
    'README.md',
  ];
  expect(changedWorkspaces(files, ['offerings', 'system', 'web'])).toEqual(['system', 'web']);
  expect(changedWorkspaces([])).toEqual([]);
});
