import { contact, creators, identity, media, offerings, type Request } from '@stoa/contracts';
import { type NatsUser, startNats, waitFor } from '@stoa/system';
import type { MessageHandler } from '@nestjs/microservices';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { z } from 'zod';
import { Bus, connectBus, RequestServer } from '../src/index.ts';
import { header, toHeaders } from '../src/wire.ts';

// A consumer's owner can make JetStream deliver a stored message, with its headers, to any subject. The password of
// one service must not be enough to act as a creator.

const anything = (request: Request) => ({
  ...request,
  input: z.unknown(),
  output: z.unknown(),
});
/** A request of each service that accepts any input. */
const targets = {
  identity: anything(identity.open),
  creators: anything(creators.update),
  offerings: anything(offerings.remove),
  media: anything(media.complete),
  contact: anything(contact.send),
};
type Service = keyof typeof targets;
const services = Object.keys(targets) as Service[];
const attacks = services.flatMap((attacker) => services.map((target) => ({ attacker, target })));

type Connection = Awaited<ReturnType<typeof connectBus>>;
let nats: Awaited<ReturnType<typeof startNats>>;
let bus: Bus;
const connections = new Map<NatsUser, Connection>();
const servers: RequestServer[] = [];
const handled = jest.fn(async () => ({}));

const connectionOf = (user: NatsUser) => connections.get(user) as Connection;

beforeAll(async () => {
  nats = await startNats();
  for (const user of [...services, 'gateway', 'provision'] as const) {
    const { pass } = nats.credentials(user);
    connections.set(user, await connectBus({ url: nats.url, name: 'test', user, password: pass }));
  }
  bus = new Bus(connectionOf('gateway'));
  for (const service of services) {
    const request = targets[service];
    const options = { queue: service, concurrency: 4, backlog: 10 };
    const server = new RequestServer(connectionOf(service), options);
    server.addHandler(request.subject, handled as MessageHandler, false, { request });
    server.listen(() => undefined);
    await connectionOf(service).flush();
    servers.push(server);
  }
});
beforeEach(() => {
  handled.mockClear();
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  await Promise.all([...connections.values()].map((connection) => connection.close()));
  await nats.close();
});

const victim = {
  ...{ uid: randomUUID(), sid: 'session', username: 'ama', email: 'ama@example.test' },
  ...{ emailVerified: true, displayName: 'Ama', termsAcceptedAt: null },
};

/** Calls JetStream's API with the rights of set-up. */
async function api(call: string, body: object = {}): Promise<Record<string, unknown>> {
  const answer = connectionOf('provision').request(`$JS.API.${call}`, JSON.stringify(body), {
    timeout: 5000,
  });
  return (await answer).json<Record<string, unknown>>();
}

/** Stores a copy of a creator's request, including the caller, as an event of the attacker. Resolves to its sequence number. */
async function store({ attacker }: (typeof attacks)[number]): Promise<number> {
  const body = JSON.stringify({ paymentUrl: 'https://evil.example/pay' });
  const headers = toHeaders({
    [header.budget]: '30000',
    [header.deadline]: String(Date.now() + 30_000),
    [header.caller]: JSON.stringify(victim),
  });
  const options = { headers, timeout: 5000 };
  const stored = await connectionOf(attacker).request(`events.${attacker}.x`, body, options);
  return stored.json<{ seq: number }>().seq;
}

const configOf = ({ attacker, target }: (typeof attacks)[number], way: 'pull' | 'push') => ({
  durable_name: attacker,
  filter_subject: `events.${attacker}.x`,
  deliver_policy: 'last',
  ack_policy: 'explicit',
  ...(way === 'push' && { deliver_subject: targets[target].subject, deliver_group: target }),
});

/** The inputs that the service handled, and the only allowed one: the gateway's marker, sent after all others. */
async function served(target: Service) {
  const marker = { marker: randomUUID() };
  await bus.ask(targets[target], marker);
  return { handled: handled.mock.calls.map(([input]: unknown[]) => input), marker };
}

/** Recreates the attacker's consumer; throws if the server has not done so. */
async function makeConsumer(attack: (typeof attacks)[number], way: 'pull' | 'push'): Promise<void> {
  const { attacker } = attack;
  await api(`CONSUMER.DELETE.EVENTS.${attacker}`);
  const made = { stream_name: 'EVENTS', config: configOf(attack, way) };
  expect(await api(`CONSUMER.DURABLE.CREATE.EVENTS.${attacker}`, made)).not.toHaveProperty('error');
}

/** Lets the attacker pull its event to the request's subject. Resolves to the sequence numbers stored and delivered. */
async function pull(attack: (typeof attacks)[number]): Promise<{ stored: number; delivered: number }> {
  const { attacker, target } = attack;
  const stored = await store(attack);
  const next = `$JS.STREAMS.API.CONSUMER.MSG.NEXT.EVENTS.${attacker}`;
  const request = '{"batch":1,"no_wait":true}';
  // On a slow disk a server was seen without the consumer right after recreating it.
  const attempt = async () => {
    await makeConsumer(attack, 'pull');
    connectionOf(attacker).publish(next, request, { reply: targets[target].subject });
    // Pulls are answered in order, so the previous one is answered, too.
    await connectionOf(attacker).request(next, request, { timeout: 5000, noMux: true });
  };
  await waitFor(attempt, { timeout: 20_000 });
  const info = await api(`CONSUMER.INFO.EVENTS.${attacker}`);
  return { stored, delivered: (info['delivered'] as { stream_seq: number }).stream_seq };
}

test.each(attacks)(
  '$attacker cannot have a pulled event delivered to $target as a request',
  async (attack) => {
    await pull(attack);
    const { handled, marker } = await served(attack.target);
    expect(handled).toEqual([marker]);
  },
);

test.each(services)('%s does not treat an event pulled to its own subject as a request', async (service) => {
  const { stored, delivered } = await pull({ attacker: service, target: service });
  expect(delivered).toBe(stored);
  const { handled, marker } = await served(service);
  expect(handled).toEqual([marker]);
});

test.each(attacks)('$attacker cannot have an event pushed to $target', async (attack) => {
  const { attacker, target } = attack;
  await store(attack);
  await api(`CONSUMER.DELETE.EVENTS.${attacker}`);
  const config = configOf(attack, 'push');
  const named = JSON.stringify({ stream_name: 'EVENTS', config: { ...config, name: attacker } });
  for (const prefix of ['$JS.API', '$JS.STREAMS.API'])
    for (const call of [
      `DURABLE.CREATE.EVENTS.${attacker}`,
      `CREATE.EVENTS.${attacker}`,
      `CREATE.EVENTS.${attacker}.events.${attacker}.x`,
    ])
      connectionOf(attacker).publish(`${prefix}.CONSUMER.${call}`, named, { reply: `_INBOX_${attacker}.x` });
  await connectionOf(attacker).flush();
  expect(await api(`CONSUMER.INFO.EVENTS.${attacker}`)).toHaveProperty('error');
  const { handled, marker } = await served(target);
  expect(handled).toEqual([marker]);
});

test.each(attacks)('a push consumer from $attacker to $target is not delivered', async (attack) => {
  const { attacker, target } = attack;
  await store(attack);
  await waitFor(() => makeConsumer(attack, 'push'), { timeout: 20_000 });
  const { handled, marker } = await served(target);
  expect(handled).toEqual([marker]);
  expect(await api(`CONSUMER.INFO.EVENTS.${attacker}`)).not.toHaveProperty('push_bound', true);
});

test('an answer stays in the account of its request, whatever reply subject it names', async () => {
  const headers = toHeaders({ [header.budget]: '60000' });
  const seen: string[] = [];
  const inbox = connectionOf('contact').subscribe('_INBOX_contact.>', {
    callback: (_, { subject }) => void seen.push(subject),
  });
  await connectionOf('contact').flush();
  for (const reply of [
    'events.creators.x',
    '_INBOX_contact.x',
    'rpc.creators.open',
    '$JS.API.STREAM.PURGE.EVENTS',
  ])
    connectionOf('gateway').publish(targets.creators.subject, '{}', { headers, reply });
  await served('creators');
  await connectionOf('contact').flush();
  inbox.unsubscribe();
  expect(seen).toEqual([]);
  const ofCreators = { last_by_subj: 'events.creators.x' };
  const last = await api('STREAM.MSG.GET.EVENTS', ofCreators);
  const { data = '' } = (last['message'] ?? {}) as { data?: string };
  expect(Buffer.from(data, 'base64').toString()).not.toBe('{}');
});

test.each<Record<string, string>>([{}, { [header.budget]: 'soon' }, { 'Stoa-Other': 'x' }])(
  'a request without a budget is refused: %o',
  async (headers) => {
    const answer = await connectionOf('gateway').request(targets.creators.subject, '{}', {
      headers: toHeaders(headers),
      timeout: 5000,
    });
    expect(answer.headers?.get(header.refusal)).toBe('invalid_input');
    const { handled, marker } = await served('creators');
    expect(handled).toEqual([marker]);
  },
);
