import { expect, test } from '@jest/globals';
import { dev, inspectedApps } from './dev.ts';

test('dev inspects the named apps, and lists valid names for an unknown one', async () => {
  expect(inspectedApps(['creators', 'edge'])).toEqual(['creators', 'edge']);
  expect(() => inspectedApps(['creater'])).toThrow(/no app "creater".*creators, offerings/);
  await expect(dev(['--inspect', 'creater'])).rejects.toThrow(/no app "creater"/);
});

test('dev refuses unknown options and arguments', async () => {
  await expect(dev(['--inspct', 'creators'])).rejects.toThrow(/--inspct/);
  await expect(dev(['creators'])).rejects.toThrow(/creators/);
});
