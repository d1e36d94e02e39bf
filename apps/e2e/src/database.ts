import type { PartsDescription } from '@stoa/system';
import { Client } from 'pg';
import { theSystem } from './system.ts';

type Database = keyof PartsDescription['postgres']['urls'];

/** Connects to a service's database, to create states that the API cannot create. */
export async function withClient<T>(database: Database, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: theSystem().postgres.urls[database] });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** Runs a statement, and fails unless it changes exactly one row. */
export async function updateRow(database: Database, statement: string, values: unknown[]): Promise<void> {
  const { rowCount } = await withClient(database, (client) => client.query(statement, values));
  if (rowCount !== 1) throw new Error(`${rowCount} rows changed by: ${statement}`);
}
