import { expect, it } from '@jest/globals';
import { checkLockfile, missing } from './lockfile.ts';

it('finds dependencies that the lockfile lacks', () => {
  const lock = {
    '': { dependencies: { a: '1.0.0' }, devDependencies: { b: '1.0.0' } },
    'node_modules/a': {
      dependencies: { nested: '1.0.0', top: '1.0.0' },
      devDependencies: { ofNoInterest: '1.0.0' },
      optionalDependencies: { 'a-darwin': '1.0.0' },
      peerDependencies: { must: '1', may: '1' },
      peerDependenciesMeta: { may: { optional: true } },
    },
    'node_modules/a/node_modules/nested': { dependencies: { top: '1.0.0' } },
    'node_modules/top': {},
  };
  expect(missing(lock)).toEqual(['. lacks b', 'node_modules/a lacks a-darwin', 'node_modules/a lacks must']);
});

it('finds no fault in the lockfile of this repository', async () => {
  await expect(checkLockfile()).resolves.toBeUndefined();
});
