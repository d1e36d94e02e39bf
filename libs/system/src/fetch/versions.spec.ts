import { expect, it } from '@jest/globals';
import { atLeast, requireVersion, versionOf } from './versions.ts';

it.each([
  ['2.12.0', '2.12', true],
  ['2.9.25', '2.12', false],
  ['1.24', '1.24', true],
  ['17', '17', true],
  ['2025-04-22', '2025-09-07', false],
  ['2026-01-01', '2025-09-07', true],
])('compares %s with %s', (version, oldest, enough) => {
  expect(atLeast(version, oldest)).toBe(enough);
});

const needed = {
  args: ['--version'],
  pattern: /v(\d+)/,
  oldest: '99',
  name: 'Go',
  install: 'install Go 99',
  neededFor: 'building MinIO',
};

it('names a missing program and how to install it', async () => {
  await expect(requireVersion({ command: 'no-such-program', ...needed })).rejects.toThrow(
    'Go is missing, and building MinIO needs 99 or newer: install Go 99, or start Docker.',
  );
});

it('names a program that is too old', async () => {
  await expect(requireVersion({ command: process.execPath, ...needed })).rejects.toThrow(
    /^Go is too old \(\d+\), and/,
  );
});

it('returns undefined for a program that is not installed', async () => {
  expect(await versionOf('no-such-program', [], /(.*)/)).toBeUndefined();
});
