import { expect, it } from '@jest/globals';
import { usesDocker } from './docker.ts';

it('stays away from Docker when asked to', async () => {
  expect(await usesDocker({ STOA_PARTS: 'native' })).toBe(false);
});

it('says in one sentence what STOA_PARTS may be', async () => {
  await expect(usesDocker({ STOA_PARTS: 'podman' })).rejects.toThrow(
    'STOA_PARTS is "podman": say "native" or "docker", or leave it out.',
  );
});
