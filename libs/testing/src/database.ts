import { Client, escapeIdentifier } from 'pg';
import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface TestDatabase {
  readonly url: string;
  readonly drop: () => Promise<void>;
}

/** A database of its own on the shared server, with every migration of `migrationsFolder` applied. */
export async function createDatabase(adminUrl: string, migrationsFolder: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await run(adminUrl, `CREATE DATABASE ${escapeIdentifier(name)}`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  const entries = await readdir(migrationsFolder, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  for (const folder of folders.toSorted()) {
    await run(url.href, await readFile(join(migrationsFolder, folder, 'migration.sql'), 'utf8'));
  }
  const drop = () => run(adminUrl, `DROP DATABASE IF EXISTS ${escapeIdentifier(name)} WITH (FORCE)`);
  return { url: url.href, drop };
}

async function run(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
