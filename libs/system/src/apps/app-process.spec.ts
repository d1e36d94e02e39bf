import { expect, it } from '@jest/globals';
import { requireBuilt } from './app-process.ts';

it('names every requested app that is not built', () => {
  const isBuilt = (app: string) => app === 'gateway';
  expect(() => requireBuilt(['gateway', 'identity', 'media'], isBuilt)).toThrow(
    'Not built: identity, media.',
  );
  expect(() => requireBuilt(['gateway'], isBuilt)).not.toThrow();
});
