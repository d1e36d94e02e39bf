import pg from 'pg';
import { inDatabase } from '../provision/databases.ts';
import { announcingServices, databases, type Database } from '../settings/names.ts';
import type { PartsDescription } from '../settings/parts-description.ts';

const lockMs = 2000;
const tries = 10;

/** Connections that each see their database as it was at the same moment. */
export type Cut = Readonly<Record<Database, pg.Client>>;

/**
 * Does `work` on all databases as they were at one moment, in which no event was on its way from a table `outbox` to the
 * stream: writers of events, and the relays, wait for it. `atThatMoment` says what else is to be known of it. Writers wait
 * for milliseconds; a transaction that keeps them from it for seconds has the moment put off.
 */
export async function withCut<Known, Result>(
  { adminUrl }: Pick<PartsDescription['postgres'], 'adminUrl'>,
  atThatMoment: () => Promise<Known>,
  work: (cut: Cut, known: Known, pausedMs: number) => Promise<Result>,
): Promise<Result> {
  const open: pg.Client[] = [];
  const connect = async (database: Database) => {
    const client = new pg.Client({
      connectionString: inDatabase(adminUrl, database),
      application_name: 'backup',
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
    const entries: [Database, pg.Client][] = [];
    for (const name of names) entries.push([name, await connect(name)]);
    const since = await lockOutboxes(lockers);
    for (const [, client] of entries) {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      await client.query('SET LOCAL idle_in_transaction_session_timeout = 0');
      // The first statement that reads makes the snapshot.
      await client.query('SELECT count(*) FROM pg_class');
    }
    const known = await atThatMoment();
    await Promise.all(lockers.map((locker) => locker.query('COMMIT')));
    return await work(Object.fromEntries(entries) as Cut, known, performance.now() - since);
  } finally {
    await Promise.all(open.map((client) => client.end().catch(() => undefined)));
  }
}

/** Answers since when somebody may have waited. */
async function lockOutboxes(lockers: readonly pg.Client[]): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    const since = performance.now();
    try {
      for (const locker of lockers) {
        await locker.query(`BEGIN; SET LOCAL lock_timeout = ${lockMs}; LOCK TABLE outbox IN SHARE MODE`);
      }
      return since;
    } catch (error) {
      await Promise.all(lockers.map((locker) => locker.query('ROLLBACK')));
      if (attempt === tries) throw error;
    }
  }
}
