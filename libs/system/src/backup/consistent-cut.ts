import pg from 'pg';
import { setTimeout as pause } from 'node:timers/promises';
import { Problem } from '../problem.ts';
import { inDatabase } from '../provision/databases.ts';
import { announcingServices, databases, type Database } from '../settings/names.ts';
import type { PartsDescription } from '../settings/parts-description.ts';

/** A writer waits 500 ms at most while a lock is requested, and 1500 ms while it is held: 2 s in total. */
const lockTimeoutMs = 500;
const lockHeldMs = 1500;
/** Pause between two attempts, so that waiting writers can finish. */
const retryMs = 1500;
/**
 * Milliseconds after which a backup gives up, longer than the 60 s after which Postgres ends an idle
 * transaction.
 */
const giveUpMs = 90_000;

/** Connections with a snapshot of the same moment, one for each database. */
export type Cut = Readonly<Record<Database, pg.Client>>;

interface Moment<Known> {
  readonly cut: Cut;
  readonly known: Known;
}

/**
 * Runs `work` on snapshots of all databases from one moment at which no event is between a table `outbox` and
 * the stream. Writers of events and the relays wait for locks during that moment, usually for milliseconds.
 * `atThatMoment` reads further state of the moment. If a transaction blocks the locks or an engine is slow,
 * writers continue after 2 s and the attempt is repeated. `pausedMs` is the longest time that writers may
 * have waited.
 *
 * @throws Problem if transactions have blocked the locks for 90 s.
 */
export async function withCut<Known, Result>(
  { adminUrl }: Pick<PartsDescription['postgres'], 'adminUrl'>,
  atThatMoment: () => Promise<Known>,
  work: (cut: Cut, known: Known, pausedMs: number) => Promise<Result>,
): Promise<Result> {
  const deadline = performance.now() + giveUpMs;
  let pausedMs = 0;
  for (;;) {
    const open: pg.Client[] = [];
    const connect = async (database: Database) => {
      const client = new pg.Client({
        connectionString: inDatabase(adminUrl, database),
        application_name: 'backup',
        connectionTimeoutMillis: 10_000,
      });
      // Without a listener an error of an idle connection would end the process. The next query reports the
      // same error.
      client.on('error', () => undefined);
      open.push(client);
      await client.connect();
      return client;
    };
    try {
      const lockers = await Promise.all(announcingServices.map(connect));
      // Keycloak is last: identity handles Keycloak's events, and its snapshot must not include an event that
      // a restored Keycloak lacks.
      const names = databases.toSorted((a, b) => Number(a === 'keycloak') - Number(b === 'keycloak'));
      const readers: [Database, pg.Client][] = [];
      for (const name of names) readers.push([name, await connect(name)]);
      const since = performance.now();
      const moment = await momentOf(lockers, readers, atThatMoment);
      pausedMs = Math.max(pausedMs, Math.min(performance.now() - since, lockTimeoutMs + lockHeldMs));
      if (moment) return await work(moment.cut, moment.known, pausedMs);
      if (performance.now() > deadline) throw new Problem(await blockingTransactions(readers));
    } finally {
      await Promise.all(open.map((client) => client.end().catch(() => undefined)));
    }
    await pause(retryMs);
  }
}

/**
 * Takes the locks and snapshots. Returns undefined if a lock was not available in time, or may have been lost
 * too early.
 */
async function momentOf<Known>(
  lockers: readonly pg.Client[],
  readers: readonly [Database, pg.Client][],
  atThatMoment: () => Promise<Known>,
): Promise<Moment<Known> | undefined> {
  const locks = await Promise.allSettled(lockers.map(lockOutbox));
  for (const one of locks)
    if (one.status === 'rejected') {
      if ((one.reason as pg.DatabaseError).code === lockNotAvailable) return undefined;
      throw one.reason;
    }
  for (const [, reader] of readers) {
    await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await reader.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    // Postgres takes the snapshot of a transaction at its first query.
    await reader.query('SELECT count(*) FROM pg_class');
  }
  const known = await atThatMoment();
  // If a commit fails, the lock may have been lost before the last snapshot.
  const held = await Promise.allSettled(lockers.map((locker) => locker.query('COMMIT')));
  if (held.some(({ status }) => status === 'rejected')) return undefined;
  return { cut: Object.fromEntries(readers) as Cut, known };
}

const lockNotAvailable = '55P03';

/** Postgres itself releases the lock after a timeout, even if this process hangs or loses its network. */
const lockOutbox = (locker: pg.Client) =>
  locker.query(
    `BEGIN; SET LOCAL lock_timeout = ${lockTimeoutMs}; SET LOCAL idle_in_transaction_session_timeout = ${lockHeldMs};
     LOCK TABLE outbox IN SHARE MODE`,
  );

async function blockingTransactions(readers: readonly [Database, pg.Client][]): Promise<string> {
  const found: string[] = [];
  for (const [database, reader] of readers) {
    const { rows } = await reader.query<{ pid: number; seconds: number }>(
      `SELECT DISTINCT pid, round(extract(epoch FROM now() - xact_start))::int AS seconds
         FROM pg_locks JOIN pg_stat_activity USING (pid)
        WHERE relation = to_regclass('outbox') AND granted AND mode = 'RowExclusiveLock' AND datname = current_database()`,
    );
    found.push(...rows.map(({ pid, seconds }) => `${database}, pid ${pid}, for ${seconds} s`));
  }
  const whose = found.join('; ') || 'none of them any more';
  return `Transactions that write events blocked the snapshot of the backup for ${giveUpMs / 1000} s (${whose}).`;
}
