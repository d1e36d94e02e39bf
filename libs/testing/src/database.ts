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
  const owner = `${name}_owner`;
  // The user owns nothing, as in production: a superuser or an owner would never miss a right.
  await run(adminUrl, `CREATE ROLE ${name} LOGIN PASSWORD '${password}'`);
  await run(adminUrl, `CREATE ROLE ${owner}`);
  await run(adminUrl, `CREATE DATABASE ${name} OWNER ${owner}`);
  const asAdmin = Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href;
  const url = Object.assign(new URL(asAdmin), { username: name, password });
  await run(
    asAdmin,
    `ALTER DEFAULT PRIVILEGES FOR ROLE ${owner} GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${name};
     ALTER DEFAULT PRIVILEGES FOR ROLE ${owner} GRANT USAGE, SELECT ON SEQUENCES TO ${name}`,
  );
  const entries = await readdir(migrationsFolder, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  for (const folder of folders.toSorted()) {
    const script = await readFile(join(migrationsFolder, folder, 'migration.sql'), 'utf8');
    await run(asAdmin, `SET ROLE ${owner};\n${script}`);
  }
  const drop = async () => {
    await run(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await run(adminUrl, `DROP ROLE IF EXISTS ${name}`);
    await run(adminUrl, `DROP ROLE IF EXISTS ${owner}`);
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
