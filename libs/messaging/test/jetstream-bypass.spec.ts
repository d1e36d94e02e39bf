import { contact, creators, identity, media, offerings, type Request } from '@stoa/contracts';
import { makeRequestKeys, type NatsUser, startNats } from '@stoa/stack';
import type { MessageHandler } from '@nestjs/microservices';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { Bus, connectBus, RequestServer, RequestSigner, RequestVerifier } from '../src/index.ts';
import { header, toHeaders } from '../src/wire.ts';

// JetStream delivers a stored message to whatever subject a consumer's owner names, with the headers that it was
// published with. Whoever holds one service's password must not become a creator by that.

const anything = (request: Request) => ({
  ...request,
  input: z.unknown(),
  output: z.unknown(),
});
/** A request of each service, whatever comes with it. */
const targets = {
  identity: anything(identity.open),
  creators: anything(creators.update),
  offerings: anything(offerings.remove),
  media: anything(media.complete),
  contact: anything(contact.send),
};
type Service = keyof typeof targets;
const services = Object.keys(targets) as Service[];
const ways = ['pull', 'push'] as const;
const attacks = services.flatMap((attacker) =>
  services.flatMap((target) => ways.map((way) => ({ attacker, target, way }))),
);

type Connection = Awaited<ReturnType<typeof connectBus>>;
let nats: Awaited<ReturnType<typeof startNats>>;
let bus: Bus;
let signer: RequestSigner;
const connections = new Map<NatsUser, Connection>();
const servers: RequestServer[] = [];
const handled = vi.fn(async () => ({}));

const connectionOf = (user: NatsUser) => connections.get(user) as Connection;

beforeAll(async () => {
  nats = await startNats();
  for (const user of [...services, 'gateway', 'provision'] as const) {
    const { pass } = nats.credentials(user);
    connections.set(user, await connectBus({ url: nats.url, name: 'test', user, password: pass }));
  }
  const { signingKey, publicKeys } = makeRequestKeys();
  signer = new RequestSigner(signingKey);
  bus = new Bus(connectionOf('gateway'), signer);
  for (const service of services) {
    const request = targets[service];
    const verifier = new RequestVerifier(publicKeys);
    const options = { queue: service, verifier, concurrency: 4, backlog: 10 };
    const server = new RequestServer(connectionOf(service), options);
    server.addHandler(request.subject, handled as MessageHandler, false, { request });
    server.listen(() => undefined);
    await connectionOf(service).flush();
    servers.push(server);
  }
});
beforeEach(() => handled.mockClear());
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  await Promise.all([...connections.values()].map((connection) => connection.close()));
  await nats.stop();
});

/** What JetStream's API answers, or nothing where the server does not let this user ask. */
async function api(user: NatsUser, subject: string, body: object): Promise<Record<string, unknown>> {
  const asked = connectionOf(user).request(`$JS.API.${subject}`, JSON.stringify(body), { timeout: 1000 });
  return asked.then(
    (answer) => answer.json<Record<string, unknown>>(),
    (error: unknown) => ({ error }),
  );
}

/**
 * Stores what a creator's request looks like, signature and all, as an event of the attacker's own, and answers its
 * place.
 */
async function store({ attacker, target }: (typeof attacks)[number]): Promise<number> {
  const body = JSON.stringify({ paymentUrl: 'https://evil.example/pay' });
  const deadline = Date.now() + 30_000;
  const { subject } = targets[target];
  const headers = toHeaders({
    [header.deadline]: String(deadline),
    [header.signed]: await signer.sign({ subject, body, caller: null, deadline }),
  });
  const options = { headers, timeout: 5000 };
  const stored = await connectionOf(attacker).request(`events.${attacker}.x`, body, options);
  return stored.json<{ seq: number }>().seq;
}

/** Makes the consumer that does it, with the rights of `maker`; false where they do not reach. */
async function makeConsumer(
  maker: NatsUser,
  { attacker, target, way }: (typeof attacks)[number],
): Promise<boolean> {
  await api('provision', `CONSUMER.DELETE.EVENTS.${attacker}`, {});
  const push = { deliver_subject: targets[target].subject, deliver_group: target };
  const config = {
    durable_name: attacker,
    filter_subject: `events.${attacker}.x`,
    deliver_policy: 'last',
    ack_policy: 'explicit',
    ...(way === 'push' && push),
  };
  const answers = [
    await api(maker, `CONSUMER.DURABLE.CREATE.EVENTS.${attacker}`, { stream_name: 'EVENTS', config }),
    await api(maker, `CONSUMER.CREATE.EVENTS.${attacker}.events.${attacker}.x`, {
      stream_name: 'EVENTS',
      config: { ...config, name: attacker },
    }),
  ];
  return answers.some((answer) => !answer['error']);
}

async function deliver({ attacker, target, way }: (typeof attacks)[number], seq: number): Promise<void> {
  if (way === 'pull') {
    const options = { reply: targets[target].subject };
    connectionOf(attacker).publish(`$JS.API.CONSUMER.MSG.NEXT.EVENTS.${attacker}`, '{"batch":1}', options);
  }
  await vi.waitFor(async () => {
    const info = await api('provision', `CONSUMER.INFO.EVENTS.${attacker}`, {});
    expect(info).toMatchObject({ delivered: { stream_seq: seq } });
  }, 5000);
}

/** What the service handled, and the one request that it should have: the gateway's, sent after all others. */
async function served(target: Service) {
  const marker = { marker: randomUUID() };
  await bus.ask(targets[target], marker);
  return { handled: handled.mock.calls.map(([input]: unknown[]) => input), marker };
}

test.for(attacks)("$attacker's password makes no request to $target by $way", async (attack) => {
  const seq = await store(attack);
  if (await makeConsumer(attack.attacker, attack)) await deliver(attack, seq);
  const { handled, marker } = await served(attack.target);
  expect(handled).toEqual([marker]);
});

test.for(attacks)(
  'an event of $attacker that JetStream delivers to $target by $way is no request',
  async (attack) => {
    const seq = await store(attack);
    expect(await makeConsumer('provision', attack)).toBe(true);
    await deliver(attack, seq);
    const { handled, marker } = await served(attack.target);
    expect(handled).toEqual([marker]);
  },
);

test('a reply to nobody who may ask is refused', async () => {
  const headers = toHeaders({ [header.deadline]: String(Date.now() + 60_000) });
  const request = targets.creators.subject;
  for (const reply of ['events.creators.x', '_INBOX_contact.x', '_INBOX_gateway', 'rpc.creators.open'])
    connectionOf('gateway').publish(request, '{}', { headers, reply });
  connectionOf('gateway').publish(request, '{}', { headers });
  const { handled, marker } = await served('creators');
  expect(handled).toEqual([marker]);
});

test.for<Record<string, string>>([{}, { [header.deadline]: 'soon' }, { 'Stoa-Other': 'x' }])(
  'a request that does not say until when it waits is refused: %o',
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
