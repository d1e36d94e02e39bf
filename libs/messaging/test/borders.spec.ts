import * as contracts from '@stoa/contracts';
import { type NatsUser, startNats } from '@stoa/system';
import { connect, errors } from '@nats-io/transport-node';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectBus } from '../src/index.ts';

// Every user of the bus tries all subjects of other users, and subjects of no user. Whatever is not listed here is
// denied.

const services = ['identity', 'creators', 'offerings', 'media', 'contact'] as const;
const users: readonly NatsUser[] = ['gateway', ...services, 'edge', 'provision'];
const requests = [
  contracts.identity,
  contracts.creators,
  contracts.offerings,
  contracts.media,
  contracts.contact,
]
  .flatMap((contract) => Object.values<contracts.Request | contracts.Event>(contract))
  .filter((operation) => operation.kind === 'request');

/** JetStream's API under its own name, which only set-up may use, and under the name whose parts are granted to users. */
const apiCalls = (call: string, by: readonly string[]) => [
  { subject: `$JS.API.${call}`, by: ['provision'] },
  { subject: `$JS.STREAMS.API.${call}`, by },
];
const publishing: readonly { subject: string; by: readonly string[] }[] = [
  ...requests.map(({ subject, callers }) => ({ subject, by: callers })),
  ...services.flatMap((service) => [
    { subject: `events.${service}.x`, by: [service] },
    { subject: `dead.${service}.events.x`, by: [service] },
    { subject: `$JS.ACK.EVENTS.${service}.1.1.1.1.1`, by: [service] },
    ...['INFO', 'MSG.NEXT'].flatMap((call) => apiCalls(`CONSUMER.${call}.EVENTS.${service}`, [service])),
    ...['CREATE', 'DURABLE.CREATE', 'DELETE', 'PAUSE', 'UNPIN', 'RESET', 'LEADER.STEPDOWN'].flatMap((call) =>
      apiCalls(`CONSUMER.${call}.EVENTS.${service}`, []),
    ),
    ...apiCalls(`CONSUMER.CREATE.EVENTS.${service}.events.${service}.x`, []),
  ]),
  ...users.map((user) => ({ subject: `_INBOX_${user}.x.1`, by: [] })),
  { subject: 'limits.gateway', by: ['gateway'] },
  { subject: 'limits.edge', by: ['edge'] },
  // Only the gateway publishes visits; creators reads them in order and cannot publish any.
  { subject: 'visits.gateway.counted', by: ['gateway'] },
  { subject: 'visits.creators.counted', by: [] },
  { subject: 'agreements.gateway.x', by: ['gateway'] },
  { subject: 'agreements.creators.x', by: [] },
  // Scripts of a page come only from the gateway, which serves pages.
  { subject: 'assets.gateway.x', by: ['gateway'] },
  { subject: 'assets.creators.x', by: [] },
  { subject: '$JS.ACK.VISITS.creators.1.1.1.1.1', by: ['creators'] },
  ...['INFO', 'MSG.NEXT'].flatMap((call) => apiCalls(`CONSUMER.${call}.VISITS.creators`, ['creators'])),
  ...['CREATE', 'DURABLE.CREATE', 'DELETE'].flatMap((call) =>
    apiCalls(`CONSUMER.${call}.VISITS.creators`, []),
  ),
  ...apiCalls('DIRECT.GET.AGREEMENTS', ['gateway']),
  ...apiCalls('DIRECT.GET.ASSETS', ['gateway']),
  ...apiCalls('DIRECT.GET.VISITS', []),
  ...['CREATE', 'INFO', 'MSG.NEXT', 'DELETE'].flatMap((call) =>
    apiCalls(`CONSUMER.${call}.EVENTS.gateway-1`, []),
  ),
  ...apiCalls('CONSUMER.CREATE.EVENTS.gateway-1.events.>', []),
  ...[
    'EVENTS',
    'DEAD',
    'PASSWORD_CHANGES',
    'RESERVED_USERNAMES',
    'VISITS',
    'AGREEMENTS',
    'ASSETS',
    'OTHER',
  ].flatMap((stream) =>
    ['CREATE', 'UPDATE', 'DELETE', 'PURGE', 'MSG.GET', 'MSG.DELETE', 'SNAPSHOT', 'RESTORE', 'INFO'].flatMap(
      (call) => apiCalls(`STREAM.${call}.${stream}`, []),
    ),
  ),
  ...apiCalls('DIRECT.GET.EVENTS', ['gateway']),
  ...apiCalls('DIRECT.GET.EVENTS.events.identity.opened', []),
  ...apiCalls('DIRECT.GET.PASSWORD_CHANGES', ['edge']),
  ...apiCalls('DIRECT.GET.RESERVED_USERNAMES', ['edge']),
  ...apiCalls('DIRECT.GET.DEAD', []),
  ...apiCalls('CONSUMER.CREATE.DEAD.creators', []),
  ...apiCalls('CONSUMER.NAMES.EVENTS', []),
  ...apiCalls('STREAM.NAMES', []),
  ...apiCalls('INFO', []),
  ...apiCalls('META.LEADER.STEPDOWN', []),
  // A backup reads a stream by its snapshot, and acknowledges each chunk.
  { subject: '$JS.SNAPSHOT.ACK.x', by: ['provision'] },
  ...['$JS.FC.EVENTS.creators.x', '$KV.x.y', '$SRV.PING', '$MQTT.x', 'rpc', 'events', 'x'].map((subject) => ({
    subject,
    by: [],
  })),
  ...[
    '$SYS.REQ.SERVER.PING',
    '$SYS.REQ.USER.INFO',
    '$SYS.REQ.ACCOUNT.PING.CONNZ',
    '$SYS.ACCOUNT.x.CONNECT',
  ].map((subject) => ({ subject, by: [] })),
];
const listening: readonly { subject: string; by: readonly string[] }[] = [
  ...requests.map(({ subject, service }) => ({ subject, by: [service] })),
  ...services.map((service) => ({ subject: `rpc.${service}.>`, by: [service] })),
  ...users.map((user) => ({ subject: `_INBOX_${user}.>`, by: [user] })),
  { subject: 'limits.gateway', by: ['gateway'] },
  { subject: 'limits.edge', by: ['edge'] },
  ...[
    '>',
    '*',
    '*.>',
    'rpc.>',
    'rpc.*.>',
    'events.>',
    'events.creators.opened',
    'dead.>',
    'visits.>',
    'visits.gateway.counted',
    'agreements.>',
    'assets.>',
    '_INBOX.>',
    'limits.>',
  ].map((subject) => ({ subject, by: [] })),
  ...['$JS.>', '$JS.API.>', '$JS.ACK.>', '$JS.EVENT.>', '$SYS.>', '$SYS.ACCOUNT.>', '$SRV.>', '$KV.>'].map(
    (subject) => ({ subject, by: [] }),
  ),
];

type Connection = Awaited<ReturnType<typeof connectBus>>;
let nats: Awaited<ReturnType<typeof startNats>>;
const connections = new Map<NatsUser, { connection: Connection; denied: Set<string> }>();

beforeAll(async () => {
  nats = await startNats();
  for (const user of users) {
    const { pass } = nats.credentials(user);
    const connection = await connectBus({ url: nats.url, name: 'borders', user, password: pass });
    const denied = new Set<string>();
    connections.set(user, { connection, denied });
    void (async () => {
      for await (const status of connection.status()) {
        if (status.type === 'error' && status.error instanceof errors.PermissionViolationError)
          denied.add(`${status.error.operation} ${status.error.subject}`);
      }
    })();
  }
});
afterAll(async () => {
  await Promise.all([...connections.values()].map(({ connection }) => connection.close()));
  await nats.close();
});

/** The server reports denials before it answers a flush, and the client emits them one turn later. */
async function settled(connection: Connection): Promise<void> {
  await connection.flush();
  await nextTurn();
}

test.each(users)('%s may publish its own subjects only [messaging-4]', async (user) => {
  const { connection, denied } = connections.get(user)!;
  for (const { subject } of publishing) connection.publish(subject, '', { reply: `_INBOX_${user}.x` });
  await settled(connection);
  const allowed = publishing.filter(({ subject }) => !denied.has(`publish ${subject}`));
  expect(allowed.map(({ subject }) => subject)).toEqual(
    publishing.filter(({ by }) => by.includes(user)).map(({ subject }) => subject),
  );
});

test.each(users)('%s may subscribe to its own subjects only [messaging-5]', async (user) => {
  const { connection, denied } = connections.get(user)!;
  const open = listening.map(({ subject }) => connection.subscribe(subject, { callback: () => undefined }));
  await settled(connection);
  const allowed = listening.filter(({ subject }) => !denied.has(`subscription ${subject}`));
  for (const subscription of open) subscription.unsubscribe();
  expect(allowed.map(({ subject }) => subject)).toEqual(
    listening.filter(({ by }) => by.includes(user)).map(({ subject }) => subject),
  );
});

test('connecting needs a user and its password', async () => {
  const { pass } = nats.credentials('contact');
  for (const credentials of [
    {},
    { user: 'gateway' },
    { user: 'gateway', pass },
    { user: 'sys', pass },
    { token: pass },
  ])
    await expect(connect({ servers: nats.url, reconnect: false, ...credentials })).rejects.toThrow(
      /authorization/i,
    );
});
