import { expect, test } from '@jest/globals';
import { nearestName } from './nearest-name.ts';

test('a mistyped name gives the nearest one', () => {
  const names = ['creators', 'edge', 'offerings', 'web', '--affected', '--quick'];
  expect(nearestName('wbe', names)).toBe('web');
  expect(nearestName('--quik', names)).toBe('--quick');
  expect(nearestName('offering', names)).toBe('offerings');
  expect(nearestName('web', [])).toBeUndefined();
});
