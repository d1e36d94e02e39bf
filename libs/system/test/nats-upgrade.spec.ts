import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { freePorts, goProgram, goPrograms, openDataFolder, plainReporter, startNats } from '../src/index.ts';

const workplace = openDataFolder(undefined, () => undefined);
let nats: Awaited<ReturnType<typeof startNats>>;

/** A server as it was when all users shared one account, with two events of which one has been taken. */
beforeAll(async () => {
  const { nats: port } = await freePorts();
  const { supervisor, dir } = workplace;
  await supervisor.start({
    name: 'nats',
    command: await goProgram(goPrograms.nats, plainReporter(() => undefined).task('NATS')),
    args: ['-js', '-sd', join(dir, 'data/nats'), '-a', '127.0.0.1', '-p', String(port)],
    env: {},
    ready: () =>
      connect({ servers: `127.0.0.1:${port}`, reconnect: false }).then(
        (connection) => connection.close().then(() => true),
        () => false,
      ),
  });
  const connection = await connect({ servers: `127.0.0.1:${port}` });
  const { streams, consumers } = await jetstreamManager(connection);
  await streams.add({ name: 'EVENTS', subjects: ['events.>'] });
  await streams.add({ name: 'DEAD', subjects: ['dead.>'] });
  const consumer = {
    durable_name: 'creators',
    filter_subjects: ['events.offerings.published', 'events.identity.closed'],
    ack_policy: 'explicit',
    max_ack_pending: 256,
  } as const;
  await consumers.add('EVENTS', consumer);
  const js = jetstream(connection);
  for (const event of ['taken', 'waiting']) await js.publish('events.offerings.published', event);
  await js.publish('dead.creators.x', 'a letter');
  const taken = await (await js.consumers.get('EVENTS', 'creators')).next();
  await taken?.ackAck();
  await connection.close();
  await supervisor.stop('nats');
  nats = await startNats({ dir });
}, 600_000);
afterAll(async () => {
  await nats?.stop();
  await workplace.close();
});

it('an upgrade from one shared account keeps events and dead letters', async () => {
  const connection = await connect({ servers: nats.url, ...nats.credentials('provision') });
  const { streams } = await jetstreamManager(connection);
  const messages = ['EVENTS', 'DEAD'].map(async (name) => (await streams.info(name)).state.messages);
  expect(await Promise.all(messages)).toEqual([2, 1]);
  await connection.close();
});

it('an upgraded consumer delivers unacknowledged events only', async () => {
  const connection = await connect({ servers: nats.url, ...nats.credentials('creators') });
  const { consumers } = jetstream(connection, { apiPrefix: '$JS.STREAMS.API' });
  const consumer = await consumers.get('EVENTS', 'creators');
  const next = () => consumer.next({ expires: 1000 });
  expect((await next())?.string()).toBe('waiting');
  expect(await next()).toBeNull();
  await connection.close();
});
