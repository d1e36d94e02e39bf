import { Refusal, withIdempotencyKey } from '@stoa/messaging';
import { waitFor } from '@stoa/system';
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import type { Replica, ServiceUnderTest } from './service-under-test.ts';

const name = 'lost replica';
const waiting = `FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** The two ways in which the transaction of a lost replica ends. */
export const transactionEndings = ['commits', 'rolls back'] as const;
export type TransactionEnding = (typeof transactionEndings)[number];

/** A second replica of a service that loses its NATS connection while it handles a request, like a crashed one. */
export class LostReplica {
  private constructor(
    private readonly replica: Replica,
    private readonly watcher: Client,
    private readonly holder: Client,
  ) {}

  static async start(service: ServiceUnderTest): Promise<LostReplica> {
    const open = async () => {
      const client = new Client({ connectionString: service.databaseUrl });
      await client.connect();
      return client;
    };
    const named = `${service.databaseUrl}?application_name=${encodeURIComponent(name)}`;
    return new LostReplica(await service.addReplica({ DATABASE_URL: named }), await open(), await open());
  }

  /**
   * Sends a write until this replica handles it, and disconnects the replica. Then the transaction ends as `ending`
   * states, and the write is repeated with the same idempotency key, like in the web app.
   */
  async loseDuring<T>(ending: TransactionEnding, write: () => Promise<T>): Promise<T> {
    const key = randomUUID();
    const ask = () => withIdempotencyKey(key, write);
    for (;;) {
      await this.holder.query('BEGIN');
      await this.holder.query('LOCK TABLE inbox IN ACCESS EXCLUSIVE MODE');
      const answer = ask();
      answer.catch(() => undefined);
      let session: number | undefined;
      await waitFor(async () => (session = await this.ownSession()), { interval: 20, timeout: 8000 });
      if (session !== undefined) {
        this.replica.cut();
        if (ending === 'rolls back') await this.watcher.query('SELECT pg_terminate_backend($1)', [session]);
        await this.holder.query('ROLLBACK');
        return repeatUntilAnswered(ask);
      }
      // The other replica has the request. Cancels its query, so that the loop sends the write again.
      await this.watcher.query(`SELECT pg_cancel_backend(pid) ${waiting}`);
      await this.holder.query('ROLLBACK');
      await requireUnavailable(answer);
    }
  }

  async stop(): Promise<void> {
    await this.replica.stop();
    await Promise.all([this.watcher.end(), this.holder.end()]);
  }

  /**
   * The database session of this replica that has waited for a lock longer than relays wait for each other. Undefined if it
   * belongs to the other replica. @throws Error unless exactly one session waits.
   */
  private async ownSession(): Promise<number | undefined> {
    const { rows } = await this.watcher.query<{ pid: number; name: string }>(
      `SELECT pid, application_name AS name ${waiting} AND query_start < now() - interval '1 second'`,
    );
    const [row] = rows;
    if (!row || rows.length > 1) throw new Error(`${rows.length} sessions wait for a lock.`);
    return row.name === name ? row.pid : undefined;
  }
}

/** NATS may still send a request or two to the lost replica until it notices the closed connection. */
async function repeatUntilAnswered<T>(ask: () => Promise<T>): Promise<T> {
  for (let left = 3; ; left -= 1) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'timeout' || left === 1) throw error;
    }
  }
}

async function requireUnavailable(answer: Promise<unknown>): Promise<void> {
  const refusal = await answer.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(refusal instanceof Refusal) || refusal.code !== 'unavailable')
    throw new Error('The cancelled request was not refused as unavailable.', { cause: refusal });
}
