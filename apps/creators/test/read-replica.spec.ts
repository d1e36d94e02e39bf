import { ReadPool } from '@stoa/platform';
import { createDatabase, type TestDatabase, testParts, Wire, waitFor } from '@stoa/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

let databases: readonly TestDatabase[];
let wire: Wire;
let pool: ReadPool;

// What the two are called tells which of them answers; a real replica holds the same.
beforeAll(async () => {
  const { adminUrl } = testParts().postgres;
  databases = await Promise.all([createDatabase(adminUrl), createDatabase(adminUrl)]);
  const [primary, replica] = databases.map(({ url }) => new URL(url)) as [URL, URL];
  wire = new Wire(Number(replica.port));
  await wire.open();
  replica.port = String(wire.port);
  pool = new ReadPool({
    DATABASE_URL: primary.href,
    DATABASE_READ_URL: replica.href,
    DATABASE_POOL: 2,
  } as never);
});
afterAll(async () => {
  await pool.end();
  wire.close();
  for (const { drop } of databases) await drop();
});

const nameOf = (index: number) => new URL(databases[index]?.url ?? '').pathname.slice(1);
const primary = () => nameOf(0);
const replica = () => nameOf(1);

async function whoAnswers(): Promise<string | undefined> {
  const statement = { name: 'who', text: 'SELECT current_database() AS name' };
  const [row] = await pool.query<{ name: string }>(statement, []);
  return row?.name;
}

/** Milliseconds until so many reads, one after the other, were answered by the primary. */
async function timeOfPrimary(reads: number): Promise<number> {
  const began = performance.now();
  for (let read = 0; read < reads; read += 1) expect(await whoAnswers()).toBe(primary());
  return performance.now() - began;
}
const replicaAnswers = () =>
  waitFor(async () => expect(await whoAnswers()).toBe(replica()), { timeout: 15_000 });

test('public reads go to the replica, to the primary while it is away, and back by themselves', async () => {
  expect(await whoAnswers()).toBe(replica());
  wire.close();
  expect(await whoAnswers()).toBe(primary());
  await wire.open();
  await replicaAnswers();
});

test('a replica that hangs delays one read by half a second, and no other', async () => {
  await replicaAnswers();
  wire.freeze();
  // A read of the gateway waits for 1.5 s.
  expect(await timeOfPrimary(1)).toBeLessThan(1400);
  // Had each waited for the replica, they would have taken five seconds.
  expect(await timeOfPrimary(10)).toBeLessThan(2500);
  wire.thaw();
  await replicaAnswers();
});

test('a statement that runs away is ended by the server, and the next is answered', async () => {
  const one = { DATABASE_URL: databases[0]?.url, DATABASE_POOL: 1 };
  const alone = new ReadPool(one as never);
  const forever = { name: 'forever', text: 'SELECT pg_sleep(600)' };
  await expect(alone.query(forever, [])).rejects.toMatchObject({
    code: '57014',
    message: expect.stringContaining('statement timeout'),
  });
  expect(await alone.query({ name: 'one', text: 'SELECT 1 AS one' }, [])).toEqual([{ one: 1 }]);
  await alone.end();
});

test('a wrong statement is told to who asked, and keeps nobody from the replica', async () => {
  await replicaAnswers();
  await expect(pool.query({ name: 'wrong', text: 'SELECT nothing' }, [])).rejects.toMatchObject({
    code: '42703',
  });
  expect(await whoAnswers()).toBe(replica());
});
