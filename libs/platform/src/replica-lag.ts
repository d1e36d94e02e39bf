import { withoutBudget } from '@stoa/messaging';
import { Logger } from '@nestjs/common';
import type { ServicePool } from './service-pool.ts';

const everyMs = 1000;
/**
 * Longest accepted lag in milliseconds, less than the time for which the gateway reads from the primary after
 * a change. A longer lag could cache an old row as new.
 */
const longestMs = 10_000;

/** The position of the primary's log at a time of this process. */
interface Mark {
  readonly at: number;
  readonly position: bigint;
}

/**
 * How far a replica is behind its primary, by positions of the write-ahead log. Timestamps would stand still with an
 * idle primary, and a disconnected replica believes itself complete.
 */
export class ReplicaLag {
  readonly #logger = new Logger(ReplicaLag.name);
  readonly #primary: ServicePool;
  readonly #replica: ServicePool;
  /** Positions that the replica has not applied yet, oldest first. */
  readonly #marks: Mark[] = [];
  readonly #timer: NodeJS.Timeout;
  #first: Promise<void> | undefined;
  #checking: Promise<void> | undefined;
  /** A time up to which the replica has applied everything. */
  #appliedAt = -Infinity;
  #wasTooLong = false;

  constructor(primary: ServicePool, replica: ServicePool) {
    this.#primary = primary;
    this.#replica = replica;
    this.#first = this.#checkOnce().finally(() => (this.#first = undefined));
    this.#timer = setInterval(() => void this.#checkOnce(), everyMs);
    this.#timer.unref();
  }

  /** Whether the replica lags for longer than `longestMs`. Until the first success it does. */
  async isTooLong(): Promise<boolean> {
    await this.#first;
    const isTooLong = performance.now() - this.#appliedAt > longestMs;
    if (isTooLong !== this.#wasTooLong)
      this.#logger.warn(
        isTooLong ? 'the read replica lags, the primary answers' : 'the read replica has caught up',
      );
    this.#wasTooLong = isTooLong;
    return isTooLong;
  }

  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#checking;
  }

  /** One check at a time, because a hanging database does not answer a second one either. */
  #checkOnce(): Promise<void> {
    return (this.#checking ??= withoutBudget(() => this.#check()).finally(
      () => (this.#checking = undefined),
    ));
  }

  /** After a failure the next check follows a second later; until then the last state counts. */
  async #check(): Promise<void> {
    try {
      const at = performance.now();
      this.#marks.push({ at, position: await positionOf(this.#primary, 'pg_current_wal_lsn()') });
      const applied = await positionOf(this.#replica, 'pg_last_wal_replay_lsn()');
      const reached = this.#marks.findLastIndex(({ position }) => position <= applied);
      if (reached >= 0) this.#appliedAt = this.#marks[reached]?.at ?? this.#appliedAt;
      this.#marks.splice(0, reached + 1);
      // For a replica that lags for hours the oldest marks suffice.
      this.#marks.splice(longestMs / everyMs);
    } catch {
      // Ignores the failure: the last state counts until the next check succeeds, and grows older.
    }
  }
}

const endless = 2n ** 64n;

/** A position of the log as a number; a server that is no replica counts as ahead of all others. */
async function positionOf(pool: ServicePool, expression: string): Promise<bigint> {
  const statement = { name: expression, text: `SELECT ${expression}::text AS position` };
  const { rows } = await pool.query<{ position: string | null }>(statement);
  const [high, low] = rows[0]?.position?.split('/') ?? [];
  return high === undefined || low === undefined
    ? endless
    : BigInt(`0x${high}`) * 2n ** 32n + BigInt(`0x${low}`);
}
