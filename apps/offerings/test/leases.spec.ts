import { type LeasedRow, Leases } from '@stoa/platform';
import { createDatabase, inRepository, type TestDatabase, testParts, waitFor } from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';

// The table of mails about exports is an example of all tables with leases.
const minuteMs = 60_000;
let database: TestDatabase;
let client: Client;
let listener: Client;
const received: (string | undefined)[] = [];

beforeAll(async () => {
  database = await createDatabase(
    testParts().postgres.adminUrl,
    inRepository('apps/identity/prisma/migrations'),
  );
  [client, listener] = [0, 1].map(() => new Client({ connectionString: database.url })) as [Client, Client];
  await Promise.all([client.connect(), listener.connect()]);
  listener.on('notification', ({ payload }) => received.push(payload));
  await listener.query('LISTEN due');
});
afterAll(async () => {
  await Promise.all([client.end(), listener.end()]);
  await database.drop();
});
beforeEach(async () => {
  await client.query('DELETE FROM export_mail');
  received.length = 0;
});

/** The leases of a separate replica. */
function replica(ready = 'true'): Leases<LeasedRow & { uid: string }> {
  const reader = {
    $queryRawUnsafe: async <Rows>(sql: string, ...values: unknown[]) =>
      (await client.query(sql, values)).rows as Rows,
  };
  return new Leases(reader, { table: 'export_mail', open: 'true', ready, columns: 'uid' });
}

/** Inserts a row whose next attempt is due in `seconds`. */
async function insertRow(seconds = 0): Promise<string> {
  const id = randomUUID();
  await client.query(
    `INSERT INTO export_mail (id, uid, next_try_at) VALUES ($1, gen_random_uuid(), now() + make_interval(secs => $2))`,
    [id, seconds],
  );
  return id;
}
const tryIn = (id: string, seconds: number) =>
  client.query('UPDATE export_mail SET next_try_at = now() + make_interval(secs => $2) WHERE id = $1', [
    id,
    seconds,
  ]);
/** The notifications so far: one more, which the test sends, arrives after all of them. */
async function notices(): Promise<(string | undefined)[]> {
  await client.query(`NOTIFY due, 'end'`);
  await waitFor(() => expect(received.at(-1)).toBe('end'));
  return received.splice(0).slice(0, -1);
}

test('replicas take each due row once, the longest overdue first', async () => {
  const ids = [await insertRow(-1), await insertRow(-3), await insertRow(-2)];
  await insertRow(60);
  const taken = [];
  for (let round = 0; round < 4; round += 1) taken.push((await replica().take(minuteMs))?.id);
  expect(taken).toEqual([ids[1], ids[2], ids[0], undefined]);
});

test('a row that is due now is taken immediately', async () => {
  const id = await insertRow();
  // The column stores whole milliseconds, so that half of the values are rounded up.
  for (let round = 1; round <= 200; round += 1) {
    await tryIn(id, 0);
    expect(await replica().take(minuteMs)).toMatchObject({ id, attempts: round });
  }
});

test('another replica takes a row after its lease, and the first replica loses the row', async () => {
  const id = await insertRow();
  const [one, other] = [replica(), replica()];
  const first = await one.take(300);
  expect(first).toMatchObject({ id, attempts: 1 });
  expect(await other.take(minuteMs)).toBeNull();
  const second = await waitFor(async () => {
    const taken = await other.take(minuteMs);
    expect(taken).toMatchObject({ id, attempts: 2 });
    return taken!;
  });
  expect(await one.putOff(first!, 0)).toBeNull();
  expect(await other.putOff(second, 0)).toBeInstanceOf(Date);
});

test('a lease is renewed from its last end, and lost if the next attempt changes', async () => {
  const id = await insertRow();
  const leases = replica();
  const first = await leases.take(minuteMs);
  const renewed = await leases.putOff(first!, 2 * minuteMs);
  expect(renewed!.getTime()).toBeGreaterThan(first!.leasedUntil.getTime());
  expect(await leases.putOff(first!, minuteMs)).toBeNull();
  await tryIn(id, 0);
  expect(await leases.putOff({ id, leasedUntil: renewed! }, minuteMs)).toBeNull();
  expect(await leases.take(minuteMs)).toMatchObject({ id, attempts: 2 });
});

test('the next due time uses the database clock and ignores rows that are not ready', async () => {
  const leases = replica('false');
  expect(await leases.nextDueMs()).toBeNull();
  await insertRow(90);
  await insertRow(30);
  await insertRow(-5);
  const ms = (await leases.nextDueMs()) ?? 0;
  expect(ms).toBeGreaterThan(25_000);
  expect(ms).toBeLessThanOrEqual(30_000);
  expect(await leases.take(minuteMs)).toBeNull();
});

test('a write notifies if a row is due sooner, but a lease or a pause does not', async () => {
  const id = await insertRow(60);
  expect(await notices()).toEqual(['export_mail']);
  await tryIn(id, 30);
  expect(await notices()).toEqual(['export_mail']);
  await tryIn(id, 90);
  expect(await notices()).toEqual([]);
  await tryIn(id, 0);
  expect(await notices()).toEqual(['export_mail']);
  const taken = await replica().take(minuteMs);
  await replica().putOff(taken!, 2 * minuteMs);
  expect(await notices()).toEqual([]);
  await client.query('BEGIN');
  await insertRow();
  await client.query('ROLLBACK');
  expect(await notices()).toEqual([]);
});

const tables = {
  identity: [
    ...['account_change', 'account_deletion', 'dead_link_mail', 'export_mail', 'link_change'],
    ...['log_in_warning', 'review_mail'],
  ],
  creators: ['unlisted_page'],
  offerings: ['unlisted_page'],
  media: ['account_export', 'withdrawal_list'],
  contact: ['checked_link', 'message'],
};
test.each(Object.entries(tables))(
  '%s notifies about each table that a worker watches',
  async (service, names) => {
    const other = await createDatabase(
      testParts().postgres.adminUrl,
      inRepository(`apps/${service}/prisma/migrations`),
    );
    const reader = new Client({ connectionString: other.url });
    await reader.connect();
    const { rows } = await reader.query<{ name: string; events: number }>(
      `SELECT tgrelid::regclass::text AS name, count(DISTINCT tgtype)::int AS events FROM pg_trigger
      WHERE tgfoid = 'notify_due'::regproc AND tgnargs = 0 GROUP BY 1 ORDER BY 1`,
    );
    await reader.end();
    await other.drop();
    expect(rows).toEqual(names.map((name) => ({ name, events: 2 })));
  },
);
