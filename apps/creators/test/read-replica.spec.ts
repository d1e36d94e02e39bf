import { ReadPool } from '@stoa/platform';
import { createDatabase, type TestDatabase, testParts, TcpProxy, waitFor } from '@stoa/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

let databases: readonly TestDatabase[];
let wire: TcpProxy;
let pool: ReadPool;

// Two databases with different names stand for primary and replica, so that the name shows which one answers.
beforeAll(async () => {
  const { adminUrl } = testParts().postgres;
  databases = await Promise.all([createDatabase(adminUrl), createDatabase(adminUrl)]);
  const [primary, replica] = databases.map(({ url }) => new URL(url)) as [URL, URL];
  wire = new TcpProxy(Number(replica.port));
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

async function answeringDatabase(): Promise<string | undefined> {
  const statement = { name: 'who', text: 'SELECT current_database() AS name' };
  const [row] = await pool.query<{ name: string }>(statement, []);
  return row?.name;
}

/** Milliseconds that this number of reads takes, one after the other, all answered by the primary. */
async function timeOfPrimary(reads: number): Promise<number> {
  const began = performance.now();
  for (let read = 0; read < reads; read += 1) expect(await answeringDatabase()).toBe(primary());
  return performance.now() - began;
}
const replicaAnswers = () =>
  waitFor(async () => expect(await answeringDatabase()).toBe(replica()), { timeout: 15_000 });

test('reads go to the replica, to the primary during its outage, and back afterwards', async () => {
  expect(await answeringDatabase()).toBe(replica());
  wire.close();
  expect(await answeringDatabase()).toBe(primary());
  await wire.open();
  await replicaAnswers();
});

test('a hanging replica delays one read by half a second, and no other', async () => {
  await replicaAnswers();
  wire.freeze();
  // The gateway waits 1.5 s for a read.
  expect(await timeOfPrimary(1)).toBeLessThan(1400);
  // Ten reads that each wait half a second for the replica would take 5 s.
  expect(await timeOfPrimary(10)).toBeLessThan(2500);
  wire.thaw();
  await replicaAnswers();
});

test('the server cancels an endless statement, and the next one is answered', async () => {
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

test('an invalid statement fails for its caller only, and the replica stays in use', async () => {
  await replicaAnswers();
  await expect(pool.query({ name: 'wrong', text: 'SELECT nothing' }, [])).rejects.toMatchObject({
    code: '42703',
  });
  expect(await answeringDatabase()).toBe(replica());
});
