import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { inRepository } from '../paths.ts';
import { natsRights, withNatsRights } from './nats-rights.ts';

it('deploy/nats/nats.conf has the rights that the contracts give; otherwise run "npm run stoa generate nats"', () => {
  const configuration = readFileSync(inRepository('deploy/nats/nats.conf'), 'utf8');
  expect(withNatsRights(configuration)).toBe(configuration);
});

it('lets the gateway alone ask, and asks every service', () => {
  const askers = natsRights.filter(({ publish }) => publish.some((subject) => subject.startsWith('rpc.')));
  expect(askers.map(({ user }) => user)).toEqual(['gateway']);
  expect(askers[0]?.publish.filter((subject) => subject.startsWith('rpc.'))).toEqual(
    ['identity', 'creators', 'offerings', 'media', 'contact'].map((service) => `rpc.${service}.>`),
  );
});
