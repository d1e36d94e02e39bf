import pg from 'pg';
import { databases, services, type Database } from '../settings/names.ts';
import { type PartsDescription } from '../settings/description.ts';

const extensions = ['citext', 'pg_trgm', 'unaccent'];

/**
 * One database and one owner for each service and Keycloak. A user enters its own database only, so not even
 * a leaked password lets one service read another's rows.
 */
export async function provisionDatabases({ adminUrl, urls }: PartsDescription['postgres']): Promise<void> {
  await as(adminUrl, async (admin) => {
    for (const name of ['postgres', 'template1'])
      await admin.query(`REVOKE CONNECT ON DATABASE ${name} FROM PUBLIC`);
    await letReplicasRejoin(admin);
    for (const name of databases) await provisionDatabase(admin, name, new URL(urls[name]).password);
  });
  await Promise.all(
    services.map((name) =>
      as(Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href, createExtensions),
    ),
  );
}

/**
 * CloudNativePG's pg_rewind signs in to `postgres` as this role when an old primary comes back. It replicates every
 * row anyway, so this lets it see nothing new.
 */
async function letReplicasRejoin(admin: pg.Client): Promise<void> {
  const { rowCount } = await admin.query(`SELECT 1 FROM pg_roles WHERE rolname = 'streaming_replica'`);
  if (rowCount) await admin.query('GRANT CONNECT ON DATABASE postgres TO streaming_replica');
}

async function provisionDatabase(admin: pg.Client, name: Database, password: string): Promise<void> {
  const id = pg.escapeIdentifier(name);
  const role = await admin.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [name]);
  const verb = role.rowCount ? 'ALTER' : 'CREATE';
  await admin.query(`${verb} ROLE ${id} LOGIN PASSWORD ${pg.escapeLiteral(password)}`);
  // Keycloak's first start migrates in one transaction, which on a slow machine rests for more than a minute.
  if (name === 'keycloak') await admin.query(`ALTER ROLE ${id} SET idle_in_transaction_session_timeout = 0`);
  const database = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
  if (!database.rowCount) await admin.query(`CREATE DATABASE ${id} OWNER ${id}`);
  await admin.query(`REVOKE ALL ON DATABASE ${id} FROM PUBLIC`);
}

async function createExtensions(admin: pg.Client): Promise<void> {
  for (const name of extensions) await admin.query(`CREATE EXTENSION IF NOT EXISTS ${name}`);
}

async function as(connectionString: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
