import type { PartsDescription } from '@stoa/system';
import { Client } from 'pg';
import { theSystem } from './system.ts';

/** Changes a service's records behind its back: for what only old or odd data brings about. */
export async function updateRow(
  database: keyof PartsDescription['postgres']['urls'],
  statement: string,
  values: unknown[],
): Promise<void> {
  const client = new Client({ connectionString: theSystem().postgres.urls[database] });
  await client.connect();
  try {
    const { rowCount } = await client.query(statement, values);
    if (rowCount !== 1) throw new Error(`${rowCount} rows changed by: ${statement}`);
  } finally {
    await client.end();
  }
}
