import { withoutBudget } from '@stoa/messaging';
import { Logger } from '@nestjs/common';
import type { ServicePool } from './service-pool.ts';

const everyMs = 1000;
/** Less than the gateway asks the primary for after news of a change: beyond that an old row would be kept as a new one. */
const longestMs = 10_000;

/** Where the primary's log was at a time of this process. */
interface Mark {
  readonly at: number;
  readonly position: bigint;
}

/**
 * How far a replica is behind its primary, by positions of the write-ahead log: a time would stand still with an idle primary,
 * and a replica that is cut off believes that it has everything.
 */
export class ReplicaLag {
  readonly #logger = new Logger(ReplicaLag.name);
  readonly #primary: ServicePool;
  readonly #replica: ServicePool;
  /** What the replica has not applied yet, the oldest first. */
  readonly #marks: Mark[] = [];
  readonly #timer: NodeJS.Timeout;
  /** The first look, until it is over. */
  #first: Promise<void> | undefined;
  #looking: Promise<void> | undefined;
  /** A time of which the replica has everything. */
  #appliedAt = -Infinity;
  #wasTooLong = false;

  constructor(primary: ServicePool, replica: ServicePool) {
    this.#primary = primary;
    this.#replica = replica;
    this.#first = this.#begin().finally(() => (this.#first = undefined));
    this.#timer = setInterval(() => void this.#begin(), everyMs);
    this.#timer.unref();
  }

  /** Whether the replica lags for longer than its answers may. Until that is known it does. */
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
    await this.#looking;
  }

  /** One look at a time: a database that hangs is not asked again meanwhile. */
  #begin(): Promise<void> {
    return (this.#looking ??= withoutBudget(() => this.#look()).finally(() => (this.#looking = undefined)));
  }

  /** What cannot be read now is read a second later; until then the replica counts as before. */
  async #look(): Promise<void> {
    try {
      const at = performance.now();
      this.#marks.push({ at, position: await positionOf(this.#primary, 'pg_current_wal_lsn()') });
      const applied = await positionOf(this.#replica, 'pg_last_wal_replay_lsn()');
      const reached = this.#marks.findLastIndex(({ position }) => position <= applied);
      if (reached >= 0) this.#appliedAt = this.#marks[reached]?.at ?? this.#appliedAt;
      this.#marks.splice(0, reached + 1);
      // Of a replica that lags for hours the oldest marks say enough.
      this.#marks.splice(longestMs / everyMs);
    } catch {
      // Nothing is known, so what was known grows old.
    }
  }
}

const endless = 2n ** 64n;

/** A position of the log as a number; that of a server which is no replica is beyond every other. */
async function positionOf(pool: ServicePool, expression: string): Promise<bigint> {
  const statement = { name: expression, text: `SELECT ${expression}::text AS position` };
  const { rows } = await pool.query<{ position: string | null }>(statement);
  const [high, low] = rows[0]?.position?.split('/') ?? [];
  return high === undefined || low === undefined
    ? endless
    : BigInt(`0x${high}`) * 2n ** 32n + BigInt(`0x${low}`);
}
