import { leftMs, readsCurrent } from '@stoa/messaging';
import { Logger } from '@nestjs/common';
import type { PoolConfig, QueryResultRow } from 'pg';
import type { z } from 'zod';
import { isDatabaseOutage } from './database.ts';
import { poolOptions, type publicReadsEnvironment, type serviceEnvironment } from './environment.ts';
import { ReplicaLag } from './replica-lag.ts';
import { ServicePool } from './service-pool.ts';

/** A statement that each connection prepares once, under its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

type ReadsConfig = z.infer<typeof serviceEnvironment> & z.infer<typeof publicReadsEnvironment>;

// A caller waits for 5 s at most, and the next one needs the connection.
const statementTimeoutMs = 3000;
/** Waits for a replica that says nothing: what is left of a read's time is the primary's. Its queries take milliseconds. */
const silentMs = 500;
/** Between two looks whether a replica is back; one read does it, and the others do not wait for it. */
const awayMs = 5000;
/** A replica that has to apply what contradicts a query ends the query (serialization_failure). */
const inConflict = '40001';

/**
 * Connections for public reads alone, to the replica of `DATABASE_READ_URL` where there is one: however many visitors
 * ask, an owner's edit finds a connection of its own. The primary answers while the replica is away, silent or lags for
 * long, and whatever has to hold what was written before (`withCurrentReads`).
 */
export class ReadPool {
  readonly #logger = new Logger(ReadPool.name);
  readonly #primary: ServicePool;
  readonly #replica: ServicePool | undefined;
  readonly #lag: ReplicaLag | undefined;
  /** Until when the replica is not asked; 0 while it answers. */
  #avoidedUntil = 0;

  constructor(config: ReadsConfig) {
    this.#primary = poolOf(config);
    const { DATABASE_READ_URL: url } = config;
    if (url) {
      this.#replica = poolOf(
        { ...config, DATABASE_URL: url },
        { connectionTimeoutMillis: silentMs, query_timeout: silentMs },
      );
      this.#lag = new ReplicaLag(this.#primary, this.#replica);
    }
  }

  async query<Row extends QueryResultRow>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    const ask = async (pool: ServicePool) =>
      (await pool.query<Row>({ ...statement, values: [...values] })).rows;
    if (readsCurrent() || (await this.#lag?.isTooLong())) return ask(this.#primary);
    const replica = this.#replicaToAsk();
    if (!replica) return ask(this.#primary);
    const givenMs = leftMs();
    try {
      const rows = await ask(replica);
      this.#noteBack();
      return rows;
    } catch (error) {
      if (isConflict(error)) return ask(this.#primary);
      if (!isDatabaseOutage(error) || leftMs() < 1) throw error;
      // One that had less time than a silent replica is given fails by its own lateness.
      if (givenMs >= silentMs) this.#noteAway(error);
      return ask(this.#primary);
    }
  }

  async end(): Promise<void> {
    await this.#lag?.end();
    await Promise.all([this.#primary.end(), this.#replica?.end()]);
  }

  #replicaToAsk(): ServicePool | undefined {
    if (this.#avoidedUntil === 0) return this.#replica;
    if (performance.now() < this.#avoidedUntil) return undefined;
    this.#avoidedUntil = performance.now() + awayMs;
    return this.#replica;
  }

  #noteAway(error: unknown): void {
    // Once, not at every look of an outage.
    if (this.#avoidedUntil === 0)
      this.#logger.warn(`the read replica is away, the primary answers: ${String(error)}`);
    this.#avoidedUntil = performance.now() + awayMs;
  }

  #noteBack(): void {
    if (this.#avoidedUntil > 0) this.#logger.log('the read replica is back');
    this.#avoidedUntil = 0;
  }
}

function poolOf(config: ReadsConfig, patience: PoolConfig = {}): ServicePool {
  const pool = new ServicePool({
    ...poolOptions(config),
    ...patience,
    application_name: 'public-reads',
    // Plans that hold for every value, made once: the statements are written so that there is one good plan.
    options: `-c statement_timeout=${statementTimeoutMs} -c plan_cache_mode=force_generic_plan`,
  });
  // A connection that breaks while idle is replaced by the next query.
  pool.on('error', () => undefined);
  return pool;
}

const isConflict = (error: unknown) => error instanceof Error && 'code' in error && error.code === inConflict;
