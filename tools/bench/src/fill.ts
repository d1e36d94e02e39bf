import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  countColumns,
  countRows,
  creatorColumns,
  creatorRows,
  offeringColumns,
  offeringRows,
  offeringsByOwner,
  type Row,
  slugColumns,
  slugRows,
  titleColumns,
  titleRows,
} from './rows.ts';

export interface Databases {
  readonly creators: string;
  readonly offerings: string;
}

/** Replaces the contents of the databases by `size` creators and three times as many offerings. */
export async function fill({ creators, offerings }: Databases, size: number): Promise<void> {
  await withClient(offerings, async (client) => {
    await client.query('TRUNCATE offering, offering_slug CASCADE');
    await skipTriggers(client);
    await load(client, 'offering', offeringColumns, offeringRows(size));
    await load(client, 'offering_slug', slugColumns, slugRows(size));
  });
  await withClient(creators, async (client) => {
    const owned = offeringsByOwner(size);
    await client.query('TRUNCATE creator, offering_count, offering_title CASCADE');
    await skipTriggers(client);
    await load(client, 'creator', creatorColumns, creatorRows(size, owned));
    await load(client, 'offering_title', titleColumns, titleRows(size));
    // The sweeper may already have published counts of the new offerings. The lock keeps it waiting until the
    // counts are complete.
    await client.query('BEGIN; TRUNCATE offering_count');
    await copy(client, 'offering_count', countColumns, countRows(size, owned));
    await client.query('COMMIT');
    await client.query('VACUUM ANALYZE offering_count');
  });
}

/**
 * Slugs and counts are consistent already, so triggers need not derive them. They would also mark millions of
 * pages for a check of their links, and that work would disturb the measurements.
 */
async function skipTriggers(client: pg.Client): Promise<void> {
  await client.query("SET session_replication_role = 'replica'");
}

/** Loads rows before it creates indexes, which is many times faster. */
async function load(client: pg.Client, table: string, columns: string, rows: Iterator<Row>): Promise<void> {
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition
       FROM pg_index WHERE indrelid = $1::regclass AND NOT indisunique`,
    [table],
  );
  for (const { name } of indexes) await client.query(`DROP INDEX ${name}`);
  await copy(client, table, columns, rows);
  await client.query(`SET maintenance_work_mem = '512MB'`);
  for (const { definition } of indexes) await client.query(definition);
  await client.query(`VACUUM ANALYZE ${table}`);
}

async function copy(client: pg.Client, table: string, columns: string, rows: Iterator<Row>): Promise<void> {
  await pipeline(Readable.from(lines(rows)), client.query(copyFrom(`COPY ${table} (${columns}) FROM STDIN`)));
}

/** COPY's text format, with many rows per chunk. */
function* lines(rows: Iterator<Row>): Generator<string> {
  let piece = '';
  for (let row = rows.next(); !row.done; row = rows.next()) {
    piece += `${row.value.map(field).join('\t')}\n`;
    if (piece.length < 65_536) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

function field(value: string | number | null): string {
  if (value === null) return String.raw`\N`;
  return String(value)
    .replace(/\\/g, String.raw`\\`)
    .replace(/\n/g, String.raw`\n`)
    .replace(/\t/g, String.raw`\t`);
}

async function withClient<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
