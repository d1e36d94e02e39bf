import { countedRows, type OutboxBacklog, outboxBacklog } from '@stoa/platform';
import { createDatabase, type TestDatabase, testParts } from '@stoa/testing';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

let database: TestDatabase;
let client: Client;

// No service runs here, so nobody takes away what waits.
beforeAll(async () => {
  const migrations = fileURLToPath(new URL('../prisma/migrations', import.meta.url));
  database = await createDatabase(testParts().postgres.adminUrl, migrations);
  client = new Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const backlog = () => outboxBacklog(async (sql) => (await client.query<OutboxBacklog>(sql)).rows);
const wait = (count: number, age: string) =>
  client.query(
    `INSERT INTO outbox (event_id, subject, payload, headers, created_at)
     SELECT gen_random_uuid(), 'events.contact.waited', '{}', '{}', now() - $2::interval FROM generate_series(1, $1)`,
    [count, age],
  );

test('tells how much waits and for how long, and counts no further than it must', async () => {
  expect(await backlog()).toEqual({ rows: 0, age: 0 });
  await wait(1, '10 minutes');
  await wait(2, '1 minute');
  const { rows, age } = (await backlog()) ?? { rows: 0, age: 0 };
  expect(rows).toBe(3);
  expect(Math.floor(age / 60)).toBe(10);
  await wait(countedRows, '0');
  expect((await backlog())?.rows).toBe(countedRows);
});
