import { expect, it } from '@jest/globals';
import { defaultPorts, freePorts, isFree } from './ports.ts';

it('overrides a port by its variable', () => {
  expect(defaultPorts({ STOA_PORT: '9090' })).toMatchObject({ site: 9090, postgres: 5442 });
});

it('names a variable whose value is no port', () => {
  expect(() => defaultPorts({ STOA_NATS_PORT: 'many' })).toThrow(
    'STOA_NATS_PORT is "many", which is not a port: give a number from 1 to 65535.',
  );
});

it('finds ports that are free and all different', async () => {
  const ports = Object.values(await freePorts());

  expect(new Set(ports).size).toBe(ports.length);
  expect(await Promise.all(ports.map(isFree))).not.toContain(false);
});
