import pg from 'pg';
import { setTimeout as pause } from 'node:timers/promises';
import { Problem } from '../problem.ts';
import { inDatabase } from '../provision/databases.ts';
import { announcingServices, databases, type Database } from '../settings/names.ts';
import type { PartsDescription } from '../settings/parts-description.ts';

/** A writer waits behind a lock that is asked for, and behind one that is held: for 2 s in all. */
const askedMs = 500;
const heldMs = 1500;
/** Whoever waited is through by then. */
const pauseMs = 1500;
/** Longer than the 60 s for which Postgres bears a transaction that does nothing. */
const patienceMs = 90_000;

/** Connections that each see their database as it was at the same moment. */
export type Cut = Readonly<Record<Database, pg.Client>>;

interface Moment<Known> {
  readonly cut: Cut;
  readonly known: Known;
}

/**
 * Does `work` on all databases as they were at one moment, in which no event was on its way from a table `outbox` to the
 * stream: writers of events, and the relays, wait for it. `atThatMoment` says what else is to be known of it, and is asked
 * again where it takes too long. Writers wait for milliseconds, and for 2 s where a transaction is in the way or an engine
 * is slow; then they go on, and the moment is tried for again. `pausedMs` is for how long they may have waited at most.
 *
 * @throws Problem where transactions have been in the way for 90 s.
 */
export async function withCut<Known, Result>(
  { adminUrl }: Pick<PartsDescription['postgres'], 'adminUrl'>,
  atThatMoment: () => Promise<Known>,
  work: (cut: Cut, known: Known, pausedMs: number) => Promise<Result>,
): Promise<Result> {
  const deadline = performance.now() + patienceMs;
  let pausedMs = 0;
  for (;;) {
    const open: pg.Client[] = [];
    const connect = async (database: Database) => {
      const client = new pg.Client({
        connectionString: inDatabase(adminUrl, database),
        application_name: 'backup',
        connectionTimeoutMillis: 10_000,
      });
      // Told by the next query.
      client.on('error', () => undefined);
      open.push(client);
      await client.connect();
      return client;
    };
    try {
      const lockers = await Promise.all(announcingServices.map(connect));
      // Keycloak last: identity reads what happens there, and must not have read what a restored Keycloak does not know.
      const names = databases.toSorted((a, b) => Number(a === 'keycloak') - Number(b === 'keycloak'));
      const readers: [Database, pg.Client][] = [];
      for (const name of names) readers.push([name, await connect(name)]);
      const since = performance.now();
      const moment = await momentOf(lockers, readers, atThatMoment);
      pausedMs = Math.max(pausedMs, Math.min(performance.now() - since, askedMs + heldMs));
      if (moment) return await work(moment.cut, moment.known, pausedMs);
      if (performance.now() > deadline) throw new Problem(await inTheWay(readers));
    } finally {
      await Promise.all(open.map((client) => client.end().catch(() => undefined)));
    }
    await pause(pauseMs);
  }
}

/** Undefined where the locks are not to be had in time, or could not be held for long enough. */
async function momentOf<Known>(
  lockers: readonly pg.Client[],
  readers: readonly [Database, pg.Client][],
  atThatMoment: () => Promise<Known>,
): Promise<Moment<Known> | undefined> {
  const asked = await Promise.allSettled(lockers.map(lockOutbox));
  for (const one of asked)
    if (one.status === 'rejected') {
      if ((one.reason as pg.DatabaseError).code === lockNotAvailable) return undefined;
      throw one.reason;
    }
  for (const [, reader] of readers) {
    await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await reader.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    // The first statement that reads makes the snapshot.
    await reader.query('SELECT count(*) FROM pg_class');
  }
  const known = await atThatMoment();
  // A lock that is lost by now may have been lost before the last snapshot was made.
  const held = await Promise.allSettled(lockers.map((locker) => locker.query('COMMIT')));
  if (held.some(({ status }) => status === 'rejected')) return undefined;
  return { cut: Object.fromEntries(readers) as Cut, known };
}

const lockNotAvailable = '55P03';

/** Postgres itself ends the lock in time, also where this process hangs or its network is gone. */
const lockOutbox = (locker: pg.Client) =>
  locker.query(
    `BEGIN; SET LOCAL lock_timeout = ${askedMs}; SET LOCAL idle_in_transaction_session_timeout = ${heldMs};
     LOCK TABLE outbox IN SHARE MODE`,
  );

async function inTheWay(readers: readonly [Database, pg.Client][]): Promise<string> {
  const found: string[] = [];
  for (const [database, reader] of readers) {
    // The snapshot of a try that failed sees no less.
    const { rows } = await reader.query<{ pid: number; seconds: number }>(
      `SELECT DISTINCT pid, round(extract(epoch FROM now() - xact_start))::int AS seconds
         FROM pg_locks JOIN pg_stat_activity USING (pid)
        WHERE relation = to_regclass('outbox') AND granted AND mode = 'RowExclusiveLock' AND datname = current_database()`,
    );
    found.push(...rows.map(({ pid, seconds }) => `${database}, pid ${pid}, for ${seconds} s`));
  }
  const whose = found.join('; ') || 'none of them any more';
  return `Transactions that write events kept the backup from its moment for ${patienceMs / 1000} s (${whose}).`;
}
