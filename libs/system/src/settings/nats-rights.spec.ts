import { expect, it } from '@jest/globals';
import { natsRights } from './nats-rights.ts';

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

it.each(['joined', 'left'])(
  'lets the replicas of a service alone say that they %s, and the gateway alone hear it',
  (what) => {
    for (const service of ['identity', 'creators', 'offerings', 'media', 'contact']) {
      const subject = `replicas.${service}.${what}`;
      const announced = natsRights
        .flatMap(({ announces }) => announces)
        .filter((one) => one.subject === subject);
      expect(announced).toEqual([{ subject, to: ['gateway'] }]);
      const may = (right: 'publish' | 'subscribe') =>
        natsRights.filter((rights) => rights[right].includes(subject)).map(({ user }) => user);
      expect([may('publish'), may('subscribe')]).toEqual([[service], ['gateway']]);
    }
  },
);

it('lets all replicas of a service answer the gateway, and nobody else ask them', () => {
  for (const service of ['identity', 'creators', 'offerings', 'media', 'contact']) {
    const subject = `replicas.${service}`;
    const exported = natsRights.flatMap(({ exports }) => exports).filter((one) => one.subject === subject);
    expect(exported).toEqual([{ subject, to: ['gateway'], streams: true }]);
    expect(natsRights.filter(({ publish }) => publish.includes(subject)).map(({ user }) => user)).toEqual([
      'gateway',
    ]);
    expect(natsRights.filter(({ subscribe }) => subscribe.includes(subject)).map(({ user }) => user)).toEqual(
      [service],
    );
  }
});
