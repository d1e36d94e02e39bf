import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { inRepository } from '../paths.ts';
import { natsRights, withNatsPlaces } from './nats-rights.ts';

it('allows the JetStream API and changes of streams to set-up only', () => {
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

it('allows requests to the gateway only, and to every service', () => {
  const askers = natsRights.filter(({ publish }) => publish.some((subject) => subject.startsWith('rpc.')));
  expect(askers.map(({ user }) => user)).toEqual(['gateway']);
  expect(askers[0]?.publish.filter((subject) => subject.startsWith('rpc.'))).toEqual(
    ['identity', 'creators', 'offerings', 'media', 'contact'].map((service) => `rpc.${service}.>`),
  );
});

it('exports requests only to the gateway, and only the service receives them', () => {
  for (const service of ['identity', 'creators', 'offerings', 'media', 'contact']) {
    const subject = `rpc.${service}.>`;
    const exported = natsRights.flatMap(({ exports }) => exports).filter((one) => one.subject === subject);
    expect(exported).toEqual([{ subject, to: ['gateway'] }]);
    const takers = natsRights.filter(({ subscribe }) => subscribe.includes(subject));
    expect(takers.map(({ user }) => user)).toEqual([service]);
  }
});

it('gives each place accounts and users of its own, with the rights of the product', () => {
  const product = readFileSync(inRepository('deploy/nats/nats.conf'), 'utf8');
  const placed = withNatsPlaces(product, 2);
  const namesIn = (configuration: string) =>
    [...configuration.matchAll(/^ {2}([A-Z]+\w*) \{$/gm)].map(([, name]) => name);
  const accounts = namesIn(product);
  expect(namesIn(placed)).toEqual([
    ...accounts,
    ...accounts.map((name) => `${name}_0`),
    ...accounts.map((name) => `${name}_1`),
  ]);
  const [, first = ''] = placed.split(/^ {2}STREAMS_\d \{$/m);
  // No place has rights in an account of the product or of another place.
  for (const [, name] of first.matchAll(/accounts?: \[?([A-Z]\w*)/g)) expect(name).toMatch(/^[A-Z]+_0$/);
  const subjects = (text: string) => text.match(/"[^"]+\.[^"]+"/g)?.filter((one) => !one.endsWith('.0"'));
  const [, whole = ''] = product.split(/^ {2}STREAMS \{$/m);
  expect(subjects(first)).toEqual(subjects(whole));
});
