import { expect, it } from '@jest/globals';
import { chosenParts, describeChoice } from './chosen-parts.ts';

it('runs the parts as processes with STOA_PARTS=native, and names that reason', async () => {
  const choice = await chosenParts({ STOA_PARTS: 'native' });
  expect(choice.kind).toBe('native');
  expect(describeChoice(choice)).toBe('The parts run as processes: STOA_PARTS is native.');
});

it('rejects an unknown STOA_PARTS and names the allowed values', async () => {
  await expect(chosenParts({ STOA_PARTS: 'podman' })).rejects.toThrow(
    'STOA_PARTS is "podman": set "native" or "docker", or leave it out.',
  );
});

it('decides by the Docker engine without STOA_PARTS, and names the reason', async () => {
  const { kind, reason } = await chosenParts({});
  expect(reason).toMatch(
    kind === 'docker'
      ? /^Docker \d\S* with Compose answers$/
      : /^(no Docker engine answers|Docker \d\S* has no Compose)$/,
  );
});
