import { type NatsUser, startNats, waitFor } from '@stoa/system';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectBus } from '../src/index.ts';
import { toHeaders } from '../src/wire.ts';

// The server sends statuses, acknowledgements and stored messages with its own rights, to any reply subject. One
// password must not be enough to make the server empty or change a stream.

const services = ['identity', 'creators', 'offerings', 'media', 'contact'] as const;
const users = [...services, 'gateway', 'edge'] as const;
/** The prefix of JetStream's own API, and the prefix under which it is granted to users. */
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
/** Subjects to which an attacker would make the server send, with the body where the attacker controls it. */
const orders = [
  ...streams.flatMap((stream) => [
    { call: `STREAM.PURGE.${stream}`, body: '' },
    { call: `STREAM.DELETE.${stream}`, body: '' },
    { call: `STREAM.UPDATE.${stream}`, body: JSON.stringify({ ...spoiled, name: stream }) },
    { call: `STREAM.MSG.DELETE.${stream}`, body: '{"seq":1}' },
  ]),
  { call: 'CONSUMER.DELETE.EVENTS.media', body: '' },
  { call: 'CONSUMER.PAUSE.EVENTS.media', body: '{"pause_until":"2100-01-01T00:00:00Z"}' },
  // With an expiry, because media itself may send this pull: without one it would wait for ever on an empty stream.
  { call: 'CONSUMER.MSG.NEXT.EVENTS.media', body: '{"batch":100,"expires":20000000}' },
].flatMap(({ call, body }) => prefixes.map((prefix) => ({ subject: `${prefix}.${call}`, body })));
/** Messages that the server would be made to send in the name of another service. */
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
  // Each service may read its own events, the most that an attacker could have.
  for (const service of services) {
    await asProvision(`CONSUMER.DELETE.EVENTS.${service}`);
    const config = { durable_name: service, filter_subject: `events.${service}.x`, ack_policy: 'explicit' };
    await asProvision(`CONSUMER.DURABLE.CREATE.EVENTS.${service}`, {
      stream_name: 'EVENTS',
      config: { ...config, max_ack_pending: -1 },
    });
  }
  // A push consumer needs a subscriber.
  for (const service of services)
    connectionOf(service).subscribe(`rpc.${service}.>`, { callback: () => undefined });
});
afterAll(async () => {
  await Promise.all([...connections.values()].map((connection) => connection.close()));
  await nats.close();
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

/** The state of the streams that `user` may not change. */
async function standing(user: NatsUser) {
  const kept = streams.map(async (name) => {
    const { created, config, state } = await asProvision<StreamInfo>(`STREAM.INFO.${name}`);
    // The gateway may store its own file again, which replaces the earlier one.
    const replaces = name === 'ASSETS' && user === 'gateway';
    return { created, config, first: state.first_seq, ...(!replaces && { deleted: state.num_deleted }) };
  });
  const consumers = services.map(async (service) => {
    const { created, config, delivered, ack_floor } = await consumer(service);
    // A service may advance its own consumer.
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

/** Forged subjects in the streams. */
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

/** Tries every way in which `user` can make the server send something to `subject`. */
async function attack(user: (typeof users)[number], { subject, body }: { subject: string; body: string }) {
  const connection = connectionOf(user);
  // The server silently refuses events of gateway and edge, so a request would wait for its timeout.
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
  // Headers that command the stream or the server: roll-ups and traces.
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
        const wanted = { stream_name: 'EVENTS', config: { ...config, filter_subject: filter } };
        connection.publish(`${prefix}.${call}`, JSON.stringify(wanted), reply);
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

/** Resolves when no pull request waits any more, so its status has been sent. */
async function settled(user: NatsUser) {
  if (!isService(user)) return;
  // Pulls are answered in order: the earlier ones are answered by then, or they wait.
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

test.each(services)('%s can read its own events, on which the attacks above rely', async (service) => {
  const { delivered } = await consumer(service);
  expect(delivered.consumer_seq).toBeGreaterThan(orders.length);
});
