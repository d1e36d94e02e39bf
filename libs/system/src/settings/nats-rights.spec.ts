import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { inRepository } from '../paths.ts';
import { followedEvents } from './followed-events.ts';
import { natsRights, withNatsRights } from './nats-rights.ts';

it('deploy/nats/nats.conf has the rights that the contracts give; otherwise run "npm run stoa generate nats"', () => {
  const configuration = readFileSync(inRepository('deploy/nats/nats.conf'), 'utf8');
  expect(withNatsRights(configuration)).toBe(configuration);
});

it('deploy/nats/consumers.json has the events that the services listen to; otherwise run "npm run stoa generate nats"', () => {
  const consumers = readFileSync(inRepository('deploy/nats/consumers.json'), 'utf8');
  expect(followedEvents()).toBe(consumers);
});

it('lets nobody but set-up speak to JetStream as itself, and each reach what bears its name', () => {
  const [streams, ...others] = natsRights;
  expect(streams?.user).toBe('provision');
  for (const { publish, subscribe } of others) {
    expect([...publish, ...subscribe].filter((subject) => subject.startsWith('$JS.API'))).toEqual([]);
    expect(
      publish.filter((subject) =>
        /STREAM\.|CREATE|DELETE|UPDATE|PURGE/.test(subject.replace('$JS.STREAMS', '')),
      ),
    ).toEqual([]);
  }
});

it('lets the gateway alone ask, and asks every service', () => {
  const askers = natsRights.filter(({ publish }) => publish.some((subject) => subject.startsWith('rpc.')));
  expect(askers.map(({ user }) => user)).toEqual(['gateway']);
  expect(askers[0]?.publish.filter((subject) => subject.startsWith('rpc.'))).toEqual(
    ['identity', 'creators', 'offerings', 'media', 'contact'].map((service) => `rpc.${service}.>`),
  );
});
