import { type Caller, creators } from '@stoa/contracts';
import { makeCaller, type ServiceUnderTest, waitFor } from '@stoa/testing';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { changes, makeCreatorOf, startCreators } from './creators-under-test.ts';

let service: ServiceUnderTest;
let watcher: Client;
let holder: Client;
/** Takes the replica that came last off the bus. */
let cut: () => void;

const replica = 'replica to be lost';
const open = async () => {
  const client = new Client({ connectionString: service.databaseUrl });
  await client.connect();
  return client;
};

beforeAll(async () => {
  service = await startCreators();
  watcher = await open();
});
afterAll(async () => {
  await watcher.end();
  await service.stop();
});
beforeEach(async () => {
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
    if (session === undefined) {
      // The other one has it, and gives it up.
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

async function versionOf(caller: Caller): Promise<number> {
  return (await service.ask(creators.readOwn, {}, caller)).version;
}

const endings = ['commits', 'rolls back'];

test.each(endings)(
  'a first call whose replica is lost and %s makes the record, and says so',
  async (ending) => {
    const caller = makeCaller();
    const opened = await whileLost(ending, () => service.ask(creators.open, {}, caller));
    expect([opened.creator.uid, opened.isNew]).toEqual([caller.uid, true]);
  },
);

test.each([
  ['commits', 'of a version'],
  ['commits', 'of any version'],
  ['rolls back', 'of a version'],
])('an edit whose replica is lost and %s, %s, is made once, and answered', async (ending, which) => {
  const caller = await makeCreatorOf(service);
  const version = await versionOf(caller);
  const edit = changes({ bio: 'Changed.', ...(which === 'of a version' && { editedVersion: version }) });
  const changed = await whileLost(ending, () => service.ask(creators.update, edit, caller));
  expect([changed.bio, changed.version]).toEqual(['Changed.', version + 1]);
  expect(await versionOf(caller)).toBe(version + 1);
});

test('a new link for payments whose replica is lost is announced once', async () => {
  const caller = await makeCreatorOf(service);
  const paygates = [{ name: 'Tips', url: 'https://tips.example.com/' }];
  const changed = await whileLost('commits', () =>
    service.ask(creators.update, changes({ paygates }), {
      ...caller,
      authenticatedAt: new Date().toISOString(),
    }),
  );
  expect(changed.paygates).toEqual(paygates);
  await service.events.next(creators.paymentsMoved, ({ uid }) => uid === caller.uid);
  const told = service.events.all(creators.paymentsMoved).filter(({ uid }) => uid === caller.uid);
  expect(told).toHaveLength(1);
});
