import type { QueryResultRow } from 'pg';
import type { z } from 'zod';
import { poolOptions, type publicReadsEnvironment, type serviceEnvironment } from './environment.ts';
import { ServicePool } from './service-pool.ts';

/** A statement that each connection prepares once, under its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

type ReadsConfig = z.infer<typeof serviceEnvironment> & z.infer<typeof publicReadsEnvironment>;

// A caller waits for 5 s at most, and the next one needs the connection.
const statementTimeoutMs = 3000;

/**
 * Connections for public reads alone, to the replica of `DATABASE_READ_URL` where there is one: however many visitors
 * ask, an owner's edit finds a connection of its own.
 */
export class ReadPool {
  readonly #pool: ServicePool;

  constructor(config: ReadsConfig) {
    const url = config.DATABASE_READ_URL || config.DATABASE_URL;
    this.#pool = new ServicePool({
      ...poolOptions({ ...config, DATABASE_URL: url }),
      application_name: 'public-reads',
      // Plans that hold for every value, made once: the statements are written so that there is one good plan.
      options: `-c statement_timeout=${statementTimeoutMs} -c plan_cache_mode=force_generic_plan`,
    });
    // A connection that breaks while idle is replaced by the next query.
    this.#pool.on('error', () => undefined);
  }

  async query<Row extends QueryResultRow>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    const { rows } = await this.#pool.query<Row>({ ...statement, values: [...values] });
    return rows;
  }

  end(): Promise<void> {
    return this.#pool.end();
  }
}
