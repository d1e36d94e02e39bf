import { type Caller, type Offering, offerings } from '@stoa/contracts';
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
import { OfferingsModule } from '../src/offerings.module.ts';

let service: ServiceUnderTest;
let watcher: Client;
let holder: Client;
let caller: Caller;
let own: Offering;
/** Takes the replica that came last off the bus. */
let cut: () => void;

const replica = 'replica to be lost';
const links = { paymentUrl: 'https://pay.example.com/letters', productUrl: null };
const words = { title: 'Letters', description: 'Twelve.', price: '€12', type: 'eBook', ...links } as const;
const open = async () => {
  const client = new Client({ connectionString: service.databaseUrl });
  await client.connect();
  return client;
};

beforeAll(async () => {
  const folder = new URL('../', import.meta.url);
  service = await startServiceUnderTest(OfferingsModule, { service: 'offerings', folder });
  watcher = await open();
});
afterAll(async () => {
  await watcher.end();
  await service.stop();
});
beforeEach(async () => {
  caller = makeCaller();
  own = await service.ask(offerings.create, { ...words, coverImage: randomPicture() }, caller);
  cut = await service.addReplica({
    DATABASE_URL: `${service.databaseUrl}?application_name=${encodeURIComponent(replica)}`,
  });
  holder = await open();
});
afterEach(async () => {
  cut();
  await holder.end();
});

/** The session of the replica to be lost that waits for a lock, so long that who asked has met that replica. */
async function waiting(): Promise<number | undefined> {
  const { rows } = await watcher.query<{ pid: number; name: string }>(
    `SELECT pid, application_name AS name FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'
        AND query_start < now() - interval '1 second'`,
  );
  expect(rows).toHaveLength(1);
  return rows[0]?.name === replica ? rows[0].pid : undefined;
}

/** Asks until the replica to be lost has it in hand, and loses that one before its transaction ends like this. */
async function whileLost<T>(ending: string, ask: () => Promise<T>): Promise<T> {
  for (;;) {
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE inbox IN ACCESS EXCLUSIVE MODE');
    const answer = ask();
    answer.catch(() => undefined);
    let session: number | undefined;
    await waitFor(async () => (session = await waiting()), { interval: 20, timeout: 8000 });
    // The other one has it: what is asked may be asked again, as all of this is.
    if (session === undefined) {
      await watcher.query(
        `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      await holder.query('ROLLBACK');
      await expect(answer).rejects.toMatchObject({ code: 'unavailable' });
      continue;
    }
    cut();
    if (ending === 'rolls back') await watcher.query('SELECT pg_terminate_backend($1)', [session]);
    await holder.query('ROLLBACK');
    return answer;
  }
}

const stored = () => service.ask(offerings.readOwn, { id: own.id }, caller);
const changes = () => ({ ...words, id: own.id, title: 'Changed', editedVersion: own.version });

const endings = ['commits', 'rolls back'];

test.each(endings)('an edit whose replica is lost and %s is made once, and answered', async (ending) => {
  const changed = await whileLost(ending, () => service.ask(offerings.update, changes(), caller));
  expect([changed.title, changed.version]).toEqual(['Changed', own.version + 1]);
  expect((await stored()).version).toBe(own.version + 1);
  const told = service.events.all(offerings.changed).filter(({ id }) => id === own.id);
  expect(told.length).toBeLessThanOrEqual(1);
});

test.each(endings)('a removal whose replica is lost and %s is made once, and answered', async (ending) => {
  expect(await whileLost(ending, () => service.ask(offerings.remove, { id: own.id }, caller))).toEqual({});
  await expect(stored()).rejects.toMatchObject({ code: 'not_found' });
});

test.each(endings)('an order whose replica is lost and %s is made once, and answered', async (ending) => {
  const order = { ids: [own.id], pinnedId: own.id, editedVersion: 1 };
  const ordered = await whileLost(ending, () => service.ask(offerings.reorder, order, caller));
  expect([ordered.pinnedId, ordered.version]).toEqual([own.id, 2]);
});

test.each(endings)('a key whose replica is lost and %s is the one that is answered', async (ending) => {
  const rotated = await whileLost(ending, () => service.ask(offerings.rotateKey, { id: own.id }, caller));
  expect(rotated.deliveryKey).not.toBe(own.deliveryKey);
  expect((await stored()).deliveryKey).toBe(rotated.deliveryKey);
});

test('the same edit under another request is refused as ever', async () => {
  await service.ask(offerings.update, changes(), caller);
  const again = service.ask(offerings.update, changes(), caller);
  await expect(again).rejects.toMatchObject({ code: 'precondition_failed' });
  await expect(service.ask(offerings.remove, { id: randomUUID() }, caller)).rejects.toMatchObject({
    code: 'not_found',
  });
});
