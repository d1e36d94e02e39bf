import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Pool } from 'pg';
import { ServiceConfig } from './environment.ts';

/** One connection of the platform's own, to know whether the database answers. */
@Injectable()
export class Database implements OnApplicationShutdown {
  readonly #pool: Pool;

  constructor(@Inject(ServiceConfig) config: ServiceConfig) {
    this.#pool = new Pool({
      connectionString: config.DATABASE_URL,
      max: 1,
      connectionTimeoutMillis: 1500,
      query_timeout: 1500,
    });
    // An idle connection that breaks is replaced at the next check, which then tells.
    this.#pool.on('error', () => undefined);
  }

  async ping(): Promise<void> {
    await this.#pool.query('SELECT 1');
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#pool.end();
  }
}

// Prisma's codes for a database that cannot be reached, does not answer or hung up.
const outages = ['P1001', 'P1002', 'P1008', 'P1017', 'P2024'];

/** Whether an error of a query means that the database is away, rather than that the query was wrong. */
export function isDatabaseOutage(error: unknown): boolean {
  return error instanceof Error && 'code' in error && outages.includes(String(error.code));
}
