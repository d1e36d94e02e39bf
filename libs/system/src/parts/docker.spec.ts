import { expect, it } from '@jest/globals';
import { usesDocker } from './docker.ts';

it('does not use Docker with STOA_PARTS=native', async () => {
  expect(await usesDocker({ STOA_PARTS: 'native' })).toBe(false);
});

it('rejects an unknown STOA_PARTS and names the allowed values', async () => {
  await expect(usesDocker({ STOA_PARTS: 'podman' })).rejects.toThrow(
    'STOA_PARTS is "podman": say "native" or "docker", or leave it out.',
  );
});
