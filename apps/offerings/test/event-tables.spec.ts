import { createDatabase, inRepository, testParts } from '@stoa/testing';
import { readFile } from 'node:fs/promises';
import { Client } from 'pg';
import { describe, expect, it } from '@jest/globals';

const services = ['identity', 'creators', 'offerings', 'media', 'contact'];

/** Columns and indexes of the table, from the migrations of the service or, without one, from libs/messaging. */
async function definition(table: string, service?: string) {
  const { adminUrl } = testParts().postgres;
  const database = await createDatabase(
    adminUrl,
    service && inRepository(`apps/${service}/prisma/migrations`),
  );
  const owner = new Client({
    connectionString: Object.assign(new URL(adminUrl), { pathname: new URL(database.url).pathname }).href,
  });
  await owner.connect();
  try {
    if (!service)
      await owner.query(await readFile(inRepository(`libs/messaging/tables/${table}.sql`), 'utf8'));
    const columns = await owner.query(
      `SELECT column_name, data_type, is_nullable, column_default, datetime_precision
         FROM information_schema.columns WHERE table_name = $1 ORDER BY column_name`,
      [table],
    );
    const indexes = await owner.query('SELECT indexdef FROM pg_indexes WHERE tablename = $1 ORDER BY 1', [
      table,
    ]);
    return { columns: columns.rows, indexes: indexes.rows };
  } finally {
    await owner.end();
    await database.drop();
  }
}

describe('the tables of events', () => {
  it.each(services)('%s has the outbox that libs/messaging declares', async (service) => {
    const wanted = await definition('outbox');
    expect(wanted.columns).not.toEqual([]);
    expect(await definition('outbox', service)).toEqual(wanted);
  });

  it.each(services)('%s has the inbox that libs/messaging declares', async (service) => {
    expect(await definition('inbox', service)).toEqual(await definition('inbox'));
  });
});
