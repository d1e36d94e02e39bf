import { Refusal } from '@stoa/messaging';
import { waitFor } from '@stoa/system';
import { Client } from 'pg';
import type { Replica, ServiceUnderTest } from './service-under-test.ts';

const name = 'replica to be lost';
const waiting = `FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** How the transaction of a replica ends that is lost with a request in hand. */
export const endings = ['commits', 'rolls back'] as const;
export type Ending = (typeof endings)[number];

/** A second replica of a service, which dies for everybody else while it works on a request. */
export class ReplicaToLose {
  private constructor(
    private readonly replica: Replica,
    private readonly watcher: Client,
    private readonly holder: Client,
  ) {}

  static async start(service: ServiceUnderTest): Promise<ReplicaToLose> {
    const open = async () => {
      const client = new Client({ connectionString: service.databaseUrl });
      await client.connect();
      return client;
    };
    const named = `${service.databaseUrl}?application_name=${encodeURIComponent(name)}`;
    return new ReplicaToLose(await service.addReplica({ DATABASE_URL: named }), await open(), await open());
  }

  /** Asks until this replica has it in hand, and loses it before its transaction ends like this. */
  async whileLost<T>(ending: Ending, ask: () => Promise<T>): Promise<T> {
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
        return answer;
      }
      // The other one has it, and gives it up: what is asked may be asked again, as all of this is.
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
   * The session of this replica that waits for a lock, so long that who asked has met the replica; undefined where it is the
   * other's. @throws Error unless one waits.
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

async function requireUnavailable(answer: Promise<unknown>): Promise<void> {
  const refusal = await answer.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(refusal instanceof Refusal) || refusal.code !== 'unavailable')
    throw new Error('What was given up is not refused as unavailable.', { cause: refusal });
}
