import { type NatsUser, startNats, waitFor } from '@stoa/system';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectBus } from '../src/index.ts';
import { toHeaders } from '../src/wire.ts';

// The server answers wherever a request says, with its own rights: statuses of pull requests, acknowledgements, stored
// messages. A password must not be enough to make it tell itself to empty or change the stream.

const services = ['identity', 'creators', 'offerings', 'media', 'contact'] as const;
const users = [...services, 'gateway', 'edge'] as const;
/** JetStream's own name for its API, and the name under which it is handed to the users. */
const prefixes = ['$JS.API', '$JS.STREAMS.API'] as const;

const streams = [
  'EVENTS',
  'DEAD',
  'PASSWORD_CHANGES',
  'RESERVED_USERNAMES',
  'VISITS',
  'AGREEMENTS',
  'ASSETS',
] as const;
const spoiled = { name: 'EVENTS', subjects: ['events.>'], max_msgs: 1, retention: 'limits', storage: 'file' };
/** What the server would be made to say, with the body that does it where the attacker has a say in it. */
const orders = [
  ...streams.flatMap((stream) => [
    { call: `STREAM.PURGE.${stream}`, body: '' },
    { call: `STREAM.DELETE.${stream}`, body: '' },
    { call: `STREAM.UPDATE.${stream}`, body: JSON.stringify({ ...spoiled, name: stream }) },
    { call: `STREAM.MSG.DELETE.${stream}`, body: '{"seq":1}' },
  ]),
  { call: 'CONSUMER.DELETE.EVENTS.media', body: '' },
  { call: 'CONSUMER.PAUSE.EVENTS.media', body: '{"pause_until":"2100-01-01T00:00:00Z"}' },
  // With an end, for media itself may ask this: what it asks would wait for ever once there are no messages left.
  { call: 'CONSUMER.MSG.NEXT.EVENTS.media', body: '{"batch":100,"expires":20000000}' },
].flatMap(({ call, body }) => prefixes.map((prefix) => ({ subject: `${prefix}.${call}`, body })));
/** What it would be made to say in the name of another. */
const forgedAs = (victim: string) => [
  { subject: `events.${victim}.forged`, body: '{"forged":true}' },
  { subject: `dead.${victim}.forged`, body: '{"forged":true}' },
  { subject: `$JS.ACK.EVENTS.${victim}.1.1.1.1.0`, body: '+TERM' },
];

type Connection = Awaited<ReturnType<typeof connectBus>>;
let nats: Awaited<ReturnType<typeof startNats>>;
const connections = new Map<NatsUser, Connection>();
const connectionOf = (user: NatsUser) => connections.get(user) as Connection;

beforeAll(async () => {
  nats = await startNats();
  for (const user of [...users, 'provision'] as const) {
    const { pass } = nats.credentials(user);
    connections.set(user, await connectBus({ url: nats.url, name: 'test', user, password: pass }));
  }
  for (const service of services) {
    await connectionOf(service).request(`events.${service}.kept`, '{}', { timeout: 5000 });
    await connectionOf(service).request(`dead.${service}.kept`, '{}', { timeout: 5000 });
  }
  for (const subject of ['visits.gateway.kept', 'agreements.gateway.kept', 'assets.gateway.kept'])
    await connectionOf('gateway').request(subject, '{}', { timeout: 5000 });
  await connectionOf('identity').request('events.identity.passwordChanged', '{}', { timeout: 5000 });
  await connectionOf('creators').request('events.creators.usernameReserved', '{}', { timeout: 5000 });
  await waitFor(async () => {
    for (const copy of ['PASSWORD_CHANGES', 'RESERVED_USERNAMES']) {
      const { state } = await asProvision<StreamInfo>(`STREAM.INFO.${copy}`);
      if (state.messages !== 1) throw new Error('The copy is not there yet.');
    }
  });
  // Each may read what it has stored itself, which is the most that an attacker could wish for.
  for (const service of services) {
    await asProvision(`CONSUMER.DELETE.EVENTS.${service}`);
    const config = { durable_name: service, filter_subject: `events.${service}.x`, ack_policy: 'explicit' };
    await asProvision(`CONSUMER.DURABLE.CREATE.EVENTS.${service}`, {
      stream_name: 'EVENTS',
      config: { ...config, max_ack_pending: -1 },
    });
  }
  // Somebody listens, or a push consumer would not push.
  for (const service of services)
    connectionOf(service).subscribe(`rpc.${service}.>`, { callback: () => undefined });
});
afterAll(async () => {
  await Promise.all([...connections.values()].map((connection) => connection.close()));
  await nats.stop();
});

interface StreamInfo {
  created: string;
  config: object;
  state: { messages: number; first_seq: number; num_deleted?: number; deleted?: number[] };
}
const asProvision = async <T>(call: string, body: object = {}) =>
  (
    await connectionOf('provision').request(`$JS.API.${call}`, JSON.stringify(body), { timeout: 5000 })
  ).json<T>();

interface ConsumerInfo {
  created: string;
  config: object;
  delivered: { consumer_seq: number };
  ack_floor: { consumer_seq: number };
  num_waiting: number;
}

/** Everything about the streams that `user` may not change. */
async function standing(user: NatsUser) {
  const kept = streams.map(async (name) => {
    const { created, config, state } = await asProvision<StreamInfo>(`STREAM.INFO.${name}`);
    // The gateway may hand in a file of its own again, in the place of what it handed in before.
    const replaces = name === 'ASSETS' && user === 'gateway';
    return { created, config, first: state.first_seq, ...(!replaces && { deleted: state.num_deleted }) };
  });
  const consumers = services.map(async (service) => {
    const { created, config, delivered, ack_floor } = await consumer(service);
    // How far it has read is its own affair.
    return { created, config, ...(service !== user && { delivered, ack_floor }) };
  });
  const names = await asProvision<{ consumers: string[] }>('CONSUMER.NAMES.EVENTS');
  return {
    streams: await Promise.all(kept),
    consumers: await Promise.all(consumers),
    names: names.consumers.toSorted(),
    forged: await forgeries(),
  };
}

const consumer = (service: string) => asProvision<ConsumerInfo>(`CONSUMER.INFO.EVENTS.${service}`);

/** Subjects in the streams that nobody has published. */
async function forgeries(): Promise<string[]> {
  const found = await Promise.all(
    streams.map((name) =>
      asProvision<{ state?: { subjects?: Record<string, number> } }>(`STREAM.INFO.${name}`, {
        subjects_filter: '*.*.forged',
      }),
    ),
  );
  return found.flatMap(({ state }) => Object.keys(state?.subjects ?? {}));
}

const isService = (user: string): user is (typeof services)[number] =>
  (services as readonly string[]).includes(user);

/** Every way in which `user` can have the server send something to `subject`. */
async function attack(user: (typeof users)[number], { subject, body }: { subject: string; body: string }) {
  const connection = connectionOf(user);
  // Gateway and edge may store no events; the server refuses silently.
  if (isService(user)) await connection.request(`events.${user}.x`, body, { timeout: 5000 });
  const reply = { reply: subject };
  connection.publish(subject, body);
  connection.publish(`events.${user}.x`, body, reply);
  connection.publish(`dead.${user}.x`, body, reply);
  connection.publish(`rpc.creators.update`, body, reply);
  connection.publish(`limits.${user}`, body, reply);
  for (const stored of [`visits.${user}.x`, `agreements.${user}.x`, `assets.${user}.x`]) {
    connection.publish(stored, body, reply);
    connection.publish(stored, body, { headers: toHeaders({ 'Nats-Rollup': 'all' }) });
  }
  // What a message may ask of the stream that keeps it, and of the server about its way.
  connection.publish(`events.${user}.x`, body, { headers: toHeaders({ 'Nats-Rollup': 'all' }) });
  const traced = { headers: toHeaders({ 'Nats-Trace-Dest': subject }) };
  connection.publish(`events.${user}.x`, body, traced);
  connection.publish(`rpc.creators.update`, body, traced);
  for (const prefix of prefixes) {
    const consumer = {
      name: user,
      durable_name: user,
      deliver_policy: 'all',
      ack_policy: 'none',
      filter_subject: `events.${user}.x`,
    };
    const push = { ...consumer, deliver_subject: subject, name: `${user}-1`, durable_name: undefined };
    for (const config of [consumer, push]) {
      for (const call of [
        `CONSUMER.CREATE.EVENTS.${config.name}.events.${user}.x`,
        `CONSUMER.CREATE.EVENTS.${config.name}.events.identity.passwordChanged`,
        `CONSUMER.CREATE.EVENTS.${config.name}`,
        `CONSUMER.DURABLE.CREATE.EVENTS.${config.name}`,
      ]) {
        const [, filter = config.filter_subject] = /\.(events\.identity\..*)$/.exec(call) ?? [];
        const asked = { stream_name: 'EVENTS', config: { ...config, filter_subject: filter } };
        connection.publish(`${prefix}.${call}`, JSON.stringify(asked), reply);
      }
      for (const request of ['{"batch":1,"no_wait":true}', '{"batch":2,"expires":20000000}'])
        connection.publish(`${prefix}.CONSUMER.MSG.NEXT.EVENTS.${config.name}`, request, reply);
      connection.publish(`${prefix}.CONSUMER.INFO.EVENTS.${config.name}`, '', reply);
    }
    for (const stream of ['EVENTS', 'PASSWORD_CHANGES', 'RESERVED_USERNAMES', 'AGREEMENTS', 'ASSETS'])
      for (const request of ['{"seq":1}', `{"seq":1,"batch":9,"next_by_subj":"events.${user}.x"}`, ''])
        connection.publish(`${prefix}.DIRECT.GET.${stream}`, request, reply);
  }
  for (const answer of ['+ACK', '+NXT {"batch":2,"no_wait":true}', '+TERM'])
    connection.publish(`$JS.ACK.EVENTS.${user}.1.1.1.1.0`, answer, reply);
  await connection.flush();
}

/** Resolves when no pull request waits any more: then its status has gone out. */
async function settled(user: NatsUser) {
  if (!isService(user)) return;
  // Answered in turn: once this one is, so are those before it, or they wait.
  const next = `$JS.STREAMS.API.CONSUMER.MSG.NEXT.EVENTS.${user}`;
  await connectionOf(user).request(next, '{"batch":1,"no_wait":true}', { timeout: 5000, noMux: true });
  await waitFor(
    async () => {
      if ((await consumer(user)).num_waiting > 0) throw new Error('Requests still wait.');
    },
    { timeout: 5000 },
  );
}

test.each(users)('%s may not change a stream', async (user) => {
  const before = await standing(user);
  const victims = users.filter((other) => other !== user);
  for (const order of [...orders, ...victims.flatMap(forgedAs)]) await attack(user, order);
  await settled(user);
  expect(await standing(user)).toEqual(before);
});

test.each(services)('%s reads with its password what the attacks above rely on', async (service) => {
  const { delivered } = await consumer(service);
  expect(delivered.consumer_seq).toBeGreaterThan(orders.length);
});
