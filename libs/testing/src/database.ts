import { Client } from 'pg';
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
  const password = randomBytes(12).toString('hex');
  // Owned by a user of its own, as in production: a superuser would never miss a right.
  await run(adminUrl, `CREATE ROLE ${name} LOGIN PASSWORD '${password}'`);
  await run(adminUrl, `CREATE DATABASE ${name} OWNER ${name}`);
  const url = new URL(adminUrl);
  Object.assign(url, { pathname: `/${name}`, username: name, password });
  const entries = await readdir(migrationsFolder, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  for (const folder of folders.toSorted()) {
    await run(url.href, await readFile(join(migrationsFolder, folder, 'migration.sql'), 'utf8'));
  }
  const drop = async () => {
    await run(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await run(adminUrl, `DROP ROLE IF EXISTS ${name}`);
  };
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
