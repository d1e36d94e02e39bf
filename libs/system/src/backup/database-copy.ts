import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Problem } from '../problem.ts';

interface TableCopy {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: number;
}

/** The schema of a database at one moment. Files beside it contain the rows. */
export interface DatabaseCopy {
  /** The migrations that created its tables. */
  readonly history: readonly string[];
  readonly tables: readonly TableCopy[];
  readonly sequences: readonly { readonly name: string; readonly value: string | null }[];
}

/** Writes the rows of every table in COPY format, within the open transaction of `client`. */
export async function copyOut(
  client: pg.Client,
  write: (table: string, rows: Readable) => Promise<void>,
): Promise<DatabaseCopy> {
  const { rows: sequences } = await client.query<{ name: string; value: string | null }>(
    `SELECT sequencename AS name, last_value::text AS value FROM pg_sequences WHERE schemaname = 'public'`,
  );
  const tables: TableCopy[] = [];
  for (const { name, columns } of await tablesOf(client)) {
    const rows = client.query(copyTo(`COPY ${table(name, columns)} TO STDOUT`));
    await write(name, rows);
    tables.push({ name, columns, rows: rows.rowCount });
  }
  return { history: await historyOf(client), tables, sequences };
}

/**
 * Replaces all rows by those of a copy, within the open transaction of `client`, a superuser.
 *
 * @throws Problem if the tables belong to another release.
 */
export async function copyIn(
  client: pg.Client,
  copy: DatabaseCopy,
  read: (table: string) => Promise<Readable>,
): Promise<void> {
  const here = await tablesOf(client);
  const shape = (tables: readonly Pick<TableCopy, 'name' | 'columns'>[]) =>
    JSON.stringify(tables.map(({ name, columns }) => [name, columns]));
  const history = await historyOf(client);
  if (shape(here) !== shape(copy.tables) || history.join() !== copy.history.join())
    throw new Problem(
      `The tables of ${client.database} are not those of the backup: restore with the release that made it.`,
    );
  if (copy.tables.length === 0) return;
  // Turns off foreign key checks in this transaction, because tables are filled in order of their names.
  await client.query('SET LOCAL session_replication_role = replica');
  await client.query(`TRUNCATE ${copy.tables.map(({ name }) => pg.escapeIdentifier(name)).join(', ')}`);
  for (const { name, columns, rows } of copy.tables) {
    const written = client.query(copyFrom(`COPY ${table(name, columns)} FROM STDIN`));
    await pipeline(await read(name), written);
    if (written.rowCount !== rows) throw new Error(`${name} has ${written.rowCount} rows instead of ${rows}`);
  }
  for (const { name, value } of copy.sequences)
    if (value !== null)
      await client.query('SELECT setval($1::regclass, $2)', [pg.escapeIdentifier(name), value]);
}

const table = (name: string, columns: readonly string[]) =>
  `${pg.escapeIdentifier(name)} (${columns.map((column) => pg.escapeIdentifier(column)).join(', ')})`;

/** The tables with their columns, without generated columns. */
async function tablesOf(client: pg.Client): Promise<Pick<TableCopy, 'name' | 'columns'>[]> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attname) AS columns
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
        AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
      GROUP BY c.relname ORDER BY c.relname`,
  );
  return rows;
}

/** The applied migrations, from Prisma's table, or Liquibase's in Keycloak's database. */
async function historyOf(client: pg.Client): Promise<string[]> {
  const records = [
    ['_prisma_migrations', 'migration_name'],
    ['databasechangelog', 'id'],
  ];
  for (const [record = '', name = ''] of records) {
    const { rows } = await client.query<{ name: string | null }>('SELECT to_regclass($1) AS name', [record]);
    if (!rows[0]?.name) continue;
    const applied = await client.query<{ name: string }>(
      `SELECT ${name} AS name FROM ${record} ORDER BY ${name}`,
    );
    return applied.rows.map((row) => row.name);
  }
  return [];
}
