import { offerings } from '@stoa/contracts';
import { isDatabaseOutage } from '@stoa/platform';
import {
  makeCaller,
  randomPicture,
  type ServiceUnderTest,
  startServiceUnderTest,
  testParts,
  waitFor,
} from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Database } from '../src/database.ts';
import { OfferingsConfig } from '../src/offerings.config.ts';
import { OfferingsModule } from '../src/offerings.module.ts';

let service: ServiceUnderTest;
let admin: Client;
let holder: Client;

beforeAll(async () => {
  const folder = new URL('../', import.meta.url);
  service = await startServiceUnderTest(OfferingsModule, { service: 'offerings', folder });
  admin = new Client({ connectionString: testParts().postgres.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await service.stop();
});
beforeEach(async () => {
  holder = new Client({ connectionString: service.databaseUrl, application_name: 'holder' });
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query('LOCK TABLE offering IN ACCESS EXCLUSIVE MODE');
});
afterEach(() => holder.end());

const create = () =>
  service.ask(
    offerings.create,
    {
      id: randomUUID(),
      title: 'Letters',
      description: 'Twelve.',
      price: '€12',
      type: 'eBook',
      paymentUrl: 'https://pay.example.com/letters',
      productUrl: null,
      coverImage: randomPicture(),
    },
    makeCaller(),
  );
const list = () => service.ask(offerings.listPublic, { creatorId: randomUUID() });

/** Resolves once statements of the service wait for the table. */
const waiting = () =>
  waitFor(
    async () => {
      const { rows } = await admin.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = $1 AND wait_event_type = 'Lock'`,
        [new URL(service.databaseUrl).pathname.slice(1)],
      );
      expect(rows).not.toEqual([]);
    },
    { timeout: 20_000 },
  );

/** Ends the connections that wait for the table. */
const endConnections = () =>
  admin.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND wait_event_type = 'Lock'`,
    [new URL(service.databaseUrl).pathname.slice(1)],
  );

test("a list is 'unavailable' if Postgres ends its connection", async () => {
  const refused = list().then(
    () => 'answered',
    (error: unknown) => error,
  );
  await waiting();
  await endConnections();
  expect(await refused).toMatchObject({ code: 'unavailable', retryAfter: 1 });
  await holder.query('ROLLBACK');
  await waitFor(async () => expect(await list()).toEqual({ items: [], pinnedId: null }), {
    timeout: 20_000,
  });
});

test("a creation is 'unavailable' if Postgres ends its connection, and a repeat succeeds", async () => {
  const refused = create();
  const outcome = refused.catch((error: unknown) => error);
  await waiting();
  await endConnections();
  await holder.query('ROLLBACK');
  expect(await outcome).toMatchObject({ code: 'unavailable', retryAfter: 1 });
  await expect(create()).resolves.toMatchObject({ title: 'Letters' });
});

test("a transaction that times out in a stalled Postgres is 'unavailable'", async () => {
  const refused = create().then(
    () => 'answered',
    (error: unknown) => error,
  );
  await waiting();
  // Prisma allows a transaction 5 s, and reports the timeout at its next statement.
  const over = performance.now() + 5500;
  await waitFor(() => expect(performance.now()).toBeGreaterThan(over), { timeout: 20_000 });
  await holder.query('ROLLBACK');
  expect(await refused).toMatchObject({ code: 'unavailable' });
  await expect(create()).resolves.toMatchObject({ title: 'Letters' });
});

test.each(['raw', 'typed'])(
  'a %s query to a Postgres that refuses connections is an outage',
  async (kind) => {
    const closed = { ...new OfferingsConfig(), DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' };
    const database = new Database(closed);
    const query: Promise<unknown> = kind === 'raw' ? database.$queryRaw`SELECT 1` : database.offering.count();
    const error = await query.then(
      () => 'answered',
      (failure: unknown) => failure,
    );
    await database.onApplicationShutdown();
    expect([error, isDatabaseOutage(error)]).toEqual([expect.any(Error), true]);
  },
);
