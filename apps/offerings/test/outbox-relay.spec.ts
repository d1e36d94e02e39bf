import { contract, event, type Event } from '@stoa/contracts';
import {
  connectBus,
  maxCountedRows,
  EventPublisher,
  type OutboxBacklog,
  outboxBacklog,
  OutboxRelay,
} from '@stoa/messaging';
import {
  createDatabase,
  EventTap,
  inRepository,
  type NatsUser,
  openNats,
  type TestDatabase,
  type TestNats,
  testParts,
  waitFor,
  TcpProxy,
} from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { type AddressInfo, connect as connectSocket, createServer, type Server } from 'node:net';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { z } from 'zod';

let nats: TestNats;
let database: TestDatabase;
let client: Client;
let tap: EventTap;
let counted: Event<typeof Counted>;
const connections: Awaited<ReturnType<typeof connectBus>>[] = [];
const relays: OutboxRelay[] = [];
const wires: TcpProxy[] = [];

const Counted = z.object({ number: z.int() });
/** An event with a unique subject, since all tests share the stream. */
function newEvent(): Event<typeof Counted> {
  const [made] = Object.values(contract('offerings', { [`counted-${randomUUID()}`]: event(Counted) }));
  return made as Event<typeof Counted>;
}

async function connect(as: NatsUser, url = nats.url) {
  const { user, pass } = nats.credentials(as);
  const connection = await connectBus({ url, name: 'test', user, password: pass });
  connections.push(connection);
  return connection;
}

beforeAll(async () => {
  nats = await openNats();
  tap = await EventTap.open(await connect('provision'));
});
beforeEach(async () => {
  counted = newEvent();
  database = await createDatabase(
    testParts().postgres.adminUrl,
    inRepository('apps/offerings/prisma/migrations'),
  );
  client = new Client({ connectionString: database.url });
  await client.connect();
});
afterEach(async () => {
  await Promise.all(relays.splice(0).map((relay) => relay.onApplicationShutdown()));
  for (const wire of wires.splice(0)) wire.close();
  await client.end();
  await database.drop();
});
afterAll(async () => {
  await Promise.all(connections.map((connection) => connection.close()));
});

const backlog = () => outboxBacklog(async (sql) => (await client.query<OutboxBacklog>(sql)).rows);

async function startRelay(databaseUrl = database.url, natsUrl = nats.url) {
  const connection = await connect('offerings', natsUrl);
  const relay = new OutboxRelay(connection, { databaseUrl, query: async () => [] });
  relays.push(relay);
  relay.onApplicationBootstrap();
  return relay;
}

/** A relay that waits for events, and the proxy of its connection to NATS. */
async function startRelayOnWire() {
  const address = new URL(nats.url);
  const wire = new TcpProxy(Number(address.port));
  wires.push(wire);
  await wire.open();
  address.port = String(wire.port);
  const relay = await startRelay(database.url, address.href);
  await waitFor(async () => expect(await sessions(`state = 'idle' AND query LIKE '%COMMIT'`)).toBe(1), {
    timeout: 10_000,
  });
  return { relay, wire };
}

async function sessions(condition: string): Promise<number> {
  const { rows } = await client.query(`SELECT FROM pg_stat_activity WHERE ${condition}
    AND application_name = 'outbox-relay' AND datname = current_database()`);
  return rows.length;
}

const batchInFlight = () =>
  waitFor(async () => expect(await sessions(`state = 'idle in transaction'`)).toBe(1), {
    interval: 10,
    timeout: 5000,
  });

/** Records events with the numbers from `first` to `last`, in this order. */
const record = (first: number, last = first, on = counted.subject) =>
  client.query(
    `INSERT INTO outbox (event_id, subject, payload, headers)
     SELECT gen_random_uuid(), $3, jsonb_build_object('number', number), '{}' FROM generate_series($1::int, $2) AS number`,
    [first, last, on],
  );

/** Ten thousand events take 4 s on an idle machine, and took more than 20 s on a busy one. */
const patientMs = 60_000;

/** The numbers on the stream, once there are `count`. */
async function published(count: number): Promise<number[]> {
  await waitFor(() => expect(onStream()).toHaveLength(count), { timeout: patientMs });
  return onStream();
}

const onStream = () => tap.all(counted).map(({ number }) => number);

const empty = () =>
  waitFor(async () => expect(await backlog()).toMatchObject({ rows: 0 }), { timeout: patientMs });

const numbersTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

test('the relay publishes recorded events in order and empties the outbox', async () => {
  await record(1, 50);
  await startRelay();
  await record(51, 60);
  expect(await published(60)).toEqual(numbersTo(60));
  await empty();
});

test('the relay publishes 10,000 events in order', async () => {
  await record(1, 10_000);
  const since = performance.now();
  await startRelay();
  await empty();
  console.info(`10,000 events in ${Math.round(performance.now() - since)} ms`);
  expect(await published(10_000)).toEqual(numbersTo(10_000));
}, 180_000);

test('two replicas publish each event once', async () => {
  await Promise.all([startRelay(), startRelay()]);
  for (let first = 1; first <= 1000; first += 100) await record(first, first + 99);
  await empty();
  expect((await published(1000)).toSorted((a, b) => a - b)).toEqual(numbersTo(1000));
  expect(onStream()).toHaveLength(1000);
});

test('the relay publishes events recorded during shutdown, and stops with an empty outbox', async () => {
  const relay = await startRelay();
  await record(1);
  await published(1);
  await record(2, 500);
  await relay.onApplicationShutdown();
  expect(await backlog()).toMatchObject({ rows: 0 });
  expect(await published(500)).toEqual(numbersTo(500));
});

test('a shutdown does not wait for a silent database', async () => {
  const address = new URL(database.url);
  const wire = new TcpProxy(Number(address.port));
  wires.push(wire);
  await wire.open();
  address.port = String(wire.port);
  const relay = await startRelay(address.href);
  await record(1);
  await published(1);
  wire.freeze();
  const since = performance.now();
  await relay.onApplicationShutdown();
  // A statement waits up to 8 s, and its rollback another 8 s.
  expect(performance.now() - since).toBeLessThan(8000);
  wire.thaw();
  await startRelay();
  await record(2);
  await empty();
  expect(await published(2)).toEqual([1, 2]);
});

test('an event published before a crash is not published again', async () => {
  await record(1, 3);
  const { rows } = await client.query<{ id: string; payload: string }>(
    'SELECT event_id AS id, payload::text AS payload FROM outbox ORDER BY outbox.id LIMIT 2',
  );
  const publisher = new EventPublisher(await connect('offerings'));
  for (const row of rows) await publisher.publish({ ...row, subject: counted.subject, headers: {} });
  await startRelay();
  await empty();
  expect(await published(3)).toEqual([1, 2, 3]);
  expect(onStream()).toHaveLength(3);
});

test("another replica takes over a crashed replica's batch within seconds", async () => {
  const wire = await wireUntil('DELETE FROM outbox', database.url);
  await record(1, 3);
  await startRelay(wire.url);
  await wire.lost;
  await startRelay();
  await empty();
  expect(onStream()).toHaveLength(3);
  wire.close();
});

test('poison events do not block others, and are set aside after ten attempts', async () => {
  await record(1, 1, 'events.creators.notOurs');
  await client.query(
    `INSERT INTO outbox (event_id, subject, payload, headers)
     VALUES (gen_random_uuid(), $1, to_jsonb(repeat('x', 9 * 1024 * 1024)), '{}')`,
    [counted.subject],
  );
  await record(2, 4);
  await startRelay();
  expect(await published(3)).toEqual([2, 3, 4]);
  await waitFor(
    async () => {
      // The pauses of the relay double; the test skips them.
      await client.query(`UPDATE outbox SET retry_at = now() WHERE retry_at < 'infinity'`);
      await client.query('NOTIFY outbox');
      expect(await backlog()).toEqual({ rows: 0, age: 0, setAside: 2 });
    },
    { timeout: 20_000 },
  );
  const { rows } = await client.query<{ attempts: number; failure: string }>(
    'SELECT attempts, failure FROM outbox ORDER BY id',
  );
  expect(rows).toEqual([
    { attempts: 10, failure: expect.stringContaining('Permissions Violation') },
    { attempts: 10, failure: expect.stringContaining('max_payload') },
  ]);
});

/** Less than the time that the relay waits for a publication. */
const soon = { timeout: 3000 };

test('a replica without NATS leaves events to the others', async () => {
  const { wire } = await startRelayOnWire();
  wire.close();
  await record(1);
  await client.query('NOTIFY outbox');
  await startRelay();
  await waitFor(() => expect(onStream()).toEqual([1]), soon);
});

test('a replica that loses NATS releases its batch', async () => {
  const { wire } = await startRelayOnWire();
  wire.freeze();
  await record(1);
  await client.query('NOTIFY outbox');
  await batchInFlight();
  wire.close();
  await startRelay();
  await waitFor(() => expect(onStream()).toEqual([1]), soon);
});

test('a replica with a silent NATS releases its batch, and takes the next one when NATS answers', async () => {
  const { relay, wire } = await startRelayOnWire();
  wire.freeze();
  await record(1);
  await client.query('NOTIFY outbox');
  await batchInFlight();
  const other = await startRelay();
  await waitFor(() => expect(onStream()).toEqual([1]), { timeout: 4500 });
  await record(2);
  await client.query('NOTIFY outbox');
  await waitFor(() => expect(onStream()).toEqual([1, 2]), soon);
  await other.onApplicationShutdown();
  wire.thaw();
  await record(3);
  await empty();
  expect(onStream()).toEqual([1, 2, 3]);
  await relay.onApplicationShutdown();
});

test('an outage of the stream sets no event aside, and all are published afterwards', async () => {
  const { wire } = await startRelayOnWire();
  wire.freeze();
  await record(1, 3);
  await client.query('NOTIFY outbox');
  await batchInFlight();
  await waitFor(async () => expect(await sessions(`state = 'idle in transaction'`)).toBe(0), soon);
  const { rows } = await client.query('SELECT FROM outbox WHERE attempts = 0');
  expect(rows).toHaveLength(3);
  wire.thaw();
  expect(await published(3)).toEqual([1, 2, 3]);
  await empty();
});

test('the backlog has an age and a bounded count', async () => {
  expect(await backlog()).toEqual({ rows: 0, age: 0, setAside: 0 });
  await record(1, 3);
  await client.query(
    `UPDATE outbox SET created_at = now() - interval '10 minutes' WHERE payload = '{"number": 1}'`,
  );
  const { rows, age } = (await backlog()) ?? { rows: 0, age: 0 };
  expect(rows).toBe(3);
  expect(Math.floor(age / 60)).toBe(10);
  await record(4, maxCountedRows + 4);
  expect((await backlog())?.rows).toBe(maxCountedRows);
});

/** A proxy to a database that goes silent, like a lost node, once the client sends `last`. */
async function wireUntil(last: string, databaseUrl: string) {
  const target = new URL(databaseUrl);
  const { promise: lost, resolve } = Promise.withResolvers<void>();
  let silent = false;
  const server: Server = createServer((near) => {
    const far = connectSocket(Number(target.port), target.hostname);
    near.on('data', (bytes: Buffer) => {
      silent ||= bytes.includes(last);
      if (silent) resolve();
      else far.write(bytes);
    });
    far.on('data', (bytes) => void (silent || near.write(bytes)));
    for (const socket of [near, far]) socket.on('error', () => undefined);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const url = Object.assign(new URL(databaseUrl), { host: `127.0.0.1:${port}` }).href;
  return { url, lost, close: () => server.close() };
}
