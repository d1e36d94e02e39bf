import { applyMigrations, withClient } from '@stoa/system';
import { randomBytes } from 'node:crypto';

export interface TestDatabase {
  readonly url: string;
  readonly drop: () => Promise<void>;
}

/** Creates a database on the shared server and applies the migrations of `migrationsFolder`. */
export async function createDatabase(adminUrl: string, migrationsFolder?: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const password = randomBytes(12).toString('hex');
  const owner = `${name}_owner`;
  // Creates a user who is not the owner, as in production. A superuser or an owner would hide missing grants.
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
  await withClient(asAdmin, async (client) => {
    await client.query(`SET ROLE ${owner}`);
    if (migrationsFolder) await applyMigrations(client, migrationsFolder);
  });
  const drop = async () => {
    await run(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await run(adminUrl, `DROP ROLE IF EXISTS ${name}`);
    await run(adminUrl, `DROP ROLE IF EXISTS ${owner}`);
  };
  return { url: url.href, drop };
}

const run = (url: string, sql: string) =>
  withClient(url, async (client) => {
    await client.query(sql);
  });
