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

// Milliseconds after which the server ends a statement. A caller waits for 5 s at most, and the next one
// needs the connection.
const statementTimeoutMs = 3000;
/** Timeout of the replica. Its queries take milliseconds, and the primary needs the rest of the read's time. */
const replicaTimeoutMs = 500;
/** Pause between two probes of an unavailable replica. One read probes it; the others do not wait for it. */
const probeMs = 5000;
/** A replica cancels a query that conflicts with changes to apply (serialization_failure). */
const inConflict = '40001';

/**
 * Separate connections for public reads, to the replica of `DATABASE_READ_URL` if there is one. Many visitors then
 * cannot block an owner's edit. The primary answers while the replica is away, silent or lagging, and for reads that
 * must include earlier writes (`withCurrentReads`).
 */
export class ReadPool {
  readonly #logger = new Logger(ReadPool.name);
  readonly #primary: ServicePool;
  readonly #replica: ServicePool | undefined;
  readonly #lag: ReplicaLag | undefined;
  /** Until when the replica is avoided, by `performance.now()`; 0 while it answers. */
  #avoidedUntil = 0;

  constructor(config: ReadsConfig) {
    this.#primary = poolOf(config);
    const { DATABASE_READ_URL: url } = config;
    if (url) {
      this.#replica = poolOf(
        { ...config, DATABASE_URL: url },
        { connectionTimeoutMillis: replicaTimeoutMs, query_timeout: replicaTimeoutMs },
      );
      this.#lag = new ReplicaLag(this.#primary, this.#replica);
    }
  }

  async query<Row extends QueryResultRow>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    const ask = async (pool: ServicePool) =>
      (await pool.query<Row>({ ...statement, values: [...values] })).rows;
    if (readsCurrent() || (await this.#lag?.isTooLong())) return ask(this.#primary);
    const replica = this.#usableReplica();
    if (!replica) return ask(this.#primary);
    const givenMs = leftMs();
    try {
      const rows = await ask(replica);
      this.#noteBack();
      return rows;
    } catch (error) {
      if (isConflict(error)) return ask(this.#primary);
      if (!isDatabaseOutage(error) || leftMs() < 1) throw error;
      // A query with less than 500 ms left proves nothing about the replica.
      if (givenMs >= replicaTimeoutMs) this.#noteAway(error);
      return ask(this.#primary);
    }
  }

  async end(): Promise<void> {
    await this.#lag?.end();
    await Promise.all([this.#primary.end(), this.#replica?.end()]);
  }

  #usableReplica(): ServicePool | undefined {
    if (this.#avoidedUntil === 0) return this.#replica;
    if (performance.now() < this.#avoidedUntil) return undefined;
    this.#avoidedUntil = performance.now() + probeMs;
    return this.#replica;
  }

  #noteAway(error: unknown): void {
    // Logs once per outage, not at every probe.
    if (this.#avoidedUntil === 0)
      this.#logger.warn(`the read replica is away, the primary answers: ${String(error)}`);
    this.#avoidedUntil = performance.now() + probeMs;
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
    // One generic plan per statement: each is written so that one plan suits all values.
    options: `-c statement_timeout=${statementTimeoutMs} -c plan_cache_mode=force_generic_plan`,
  });
  pool.on('error', () => undefined);
  return pool;
}

const isConflict = (error: unknown) => error instanceof Error && 'code' in error && error.code === inConflict;
