import { offerings } from '@stoa/contracts';
import { withBudget } from '@stoa/messaging';
import { isDatabaseOutage, poolOptions, ServicePool } from '@stoa/platform';
import {
  makeCaller,
  randomPicture,
  type ServiceUnderTest,
  startServiceUnderTest,
  waitFor,
} from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { OfferingsConfig } from '../src/offerings.config.ts';
import { OfferingsModule } from '../src/offerings.module.ts';

let service: ServiceUnderTest;
let holder: Client;
let watcher: Client;
let pool: ServicePool;

beforeAll(async () => {
  const folder = new URL('../', import.meta.url);
  service = await startServiceUnderTest(OfferingsModule, { service: 'offerings', folder });
  watcher = new Client({ connectionString: service.databaseUrl });
  await watcher.connect();
  pool = new ServicePool(poolOptions({ ...new OfferingsConfig(), DATABASE_POOL: 1 }));
});
afterAll(async () => {
  await Promise.all([watcher.end(), pool.end()]);
  await service.stop();
});
beforeEach(async () => {
  holder = new Client({ connectionString: service.databaseUrl });
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query('LOCK TABLE offering IN ACCESS EXCLUSIVE MODE');
});
afterEach(() => holder.end());

const draft = {
  title: 'Letters',
  description: 'Twelve.',
  price: '€12',
  type: 'eBook',
  productUrl: null,
} as const;
const create = () => {
  const links = { paymentUrl: 'https://pay.example.com/letters', coverImage: randomPicture() };
  return service.ask(offerings.create, { ...draft, ...links }, makeCaller());
};
const list = () => service.ask(offerings.listPublic, { creatorId: randomUUID() });
const readOwn = () => service.ask(offerings.readOwn, { id: randomUUID() }, makeCaller());

/** Runs as part of a request with this much time left; `ask` allows 10 s. */
const withLeft = (ms: number, work: () => Promise<unknown>) => withBudget(10_000 - ms, work);

/** The number of statements that wait for the table. */
async function waiting(): Promise<number> {
  const { rows } = await watcher.query<{ count: number }>(
    `SELECT count(*)::int FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows[0]?.count ?? 0;
}

const requests = { 'a prepared read': list, 'a read': readOwn, 'a transaction': create };
test.each(Object.entries(requests))(
  'the statement of %s is cancelled at the deadline of its request',
  async (_, ask) => {
    const refused = withLeft(2000, ask).catch((error: unknown) => error);
    await waitFor(async () => expect(await waiting()).toBeGreaterThan(0), { interval: 20 });
    expect(await refused).toMatchObject({ code: expect.stringMatching(/unavailable|timeout/) });
    // The table is still locked, so that only a cancellation can end a waiting statement.
    await waitFor(async () => expect(await waiting()).toBe(0), { timeout: 3000, interval: 20 });
    await holder.query('ROLLBACK');
    await expect(list()).resolves.toEqual({ items: [], pinnedId: null });
  },
);

test('a long statement is cancelled after the remaining 300 ms, and its connection stays usable', async () => {
  const client = await pool.connect();
  const since = performance.now();
  const refused: unknown = await withBudget(0, () => client.query('SELECT pg_sleep(5)'), 300).catch(
    (error: unknown) => error,
  );
  expect(performance.now() - since).toBeLessThan(3000);
  expect(refused).toMatchObject({ code: '57014' });
  expect(isDatabaseOutage(refused)).toBe(true);
  expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  client.release();
});

test('a request waits for a connection until its own deadline only', async () => {
  const held = await pool.connect();
  const since = performance.now();
  const refused: unknown = await withBudget(0, () => pool.query('SELECT 1'), 100).catch(
    (error: unknown) => error,
  );
  // Without a deadline, the pool waits 4 s.
  expect(performance.now() - since).toBeLessThan(3000);
  expect(isDatabaseOutage(refused)).toBe(true);

  const patient = pool.query('SELECT 1 AS one');
  await withBudget(
    0,
    async () => {
      const late = performance.now() + 20;
      await waitFor(() => expect(performance.now()).toBeGreaterThan(late), { interval: 5 });
      held.release();
    },
    10,
  );
  expect((await patient).rows).toEqual([{ one: 1 }]);
});

test('after the deadline of its request, a transaction can only be rolled back', async () => {
  const client = await pool.connect();
  await client.query('BEGIN');
  await withBudget(
    20,
    async () => {
      await expect(client.query('SELECT 1')).rejects.toThrow('Query read timeout');
      await expect(client.query('ROLLBACK')).resolves.toMatchObject({ command: 'ROLLBACK' });
    },
    10,
  );
  client.release();
});
