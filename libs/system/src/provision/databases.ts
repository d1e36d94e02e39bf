import pg from 'pg';
import {
  databases,
  metricsUser,
  migrationUser,
  services,
  type Database,
  type Service,
} from '../settings/names.ts';
import type { PartsDescription } from '../settings/parts-description.ts';

const extensions = ['citext', 'pg_trgm', 'unaccent'];

/**
 * Creates a database for each service and for Keycloak. Each user can connect only to its own database, so a
 * leaked password does not expose other services' rows. A service's user reads and writes rows; the tables
 * belong to a role that only migrations assume.
 */
export async function provisionDatabases({
  adminUrl,
  urls,
  migrationUrls,
  metricsUrl,
}: PartsDescription['postgres']): Promise<void> {
  await withClient(adminUrl, async (admin) => {
    for (const name of ['postgres', 'template1'])
      await admin.query(`REVOKE CONNECT ON DATABASE ${name} FROM PUBLIC`);
    await letReplicasRejoin(admin);
    await setPassword(admin, migrationUser, new URL(migrationUrls.identity).password);
    await provisionMetrics(admin, new URL(metricsUrl).password);
    for (const name of databases) await provisionDatabase(admin, name, new URL(urls[name]).password);
    for (const name of services) await provisionOwner(admin, name);
  });
  for (const name of services)
    await withClient(inDatabase(adminUrl, name), (admin) => shareRows(admin, name));
  await Promise.all(services.map((name) => withClient(inDatabase(adminUrl, name), createExtensions)));
}

/**
 * CloudNativePG's pg_rewind logs in to `postgres` as this role when an old primary returns. The role
 * replicates every row anyway, so this grant reveals nothing new.
 */
async function letReplicasRejoin(admin: pg.Client): Promise<void> {
  const { rowCount } = await admin.query(`SELECT 1 FROM pg_roles WHERE rolname = 'streaming_replica'`);
  if (rowCount) await admin.query('GRANT CONNECT ON DATABASE postgres TO streaming_replica');
}

const exists = async (admin: pg.Client, role: string) =>
  Boolean((await admin.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role])).rowCount);

async function setPassword(admin: pg.Client, role: string, password: string): Promise<void> {
  const verb = (await exists(admin, role)) ? 'ALTER' : 'CREATE';
  await admin.query(`${verb} ROLE ${pg.escapeIdentifier(role)} LOGIN PASSWORD ${pg.escapeLiteral(password)}`);
}

/**
 * A role that reads Postgres' statistics over one or two connections and cannot connect to any service's
 * database.
 */
async function provisionMetrics(admin: pg.Client, password: string): Promise<void> {
  await setPassword(admin, metricsUser, password);
  await admin.query(`ALTER ROLE ${metricsUser} CONNECTION LIMIT 3`);
  await admin.query(`GRANT pg_monitor TO ${metricsUser}`);
  await admin.query(`GRANT CONNECT ON DATABASE postgres TO ${metricsUser}`);
}

async function provisionDatabase(admin: pg.Client, name: Database, password: string): Promise<void> {
  const id = pg.escapeIdentifier(name);
  await setPassword(admin, name, password);
  // Keycloak's first start migrates in one transaction, which on a slow machine is idle for more than a
  // minute.
  if (name === 'keycloak') await admin.query(`ALTER ROLE ${id} SET idle_in_transaction_session_timeout = 0`);
  const database = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
  if (!database.rowCount) await admin.query(`CREATE DATABASE ${id} OWNER ${id}`);
  await admin.query(`REVOKE ALL ON DATABASE ${id} FROM PUBLIC`);
}

/**
 * Milliseconds that a service's transaction may be idle before Postgres ends its session, and the longest
 * time that a hung replica holds locks. A transaction that waits longer, such as identity's for Keycloak,
 * overrides it.
 */
const restMs = 8000;

/** The owner of a service's tables. It cannot log in; the migrations' user assumes it in this database. */
async function provisionOwner(admin: pg.Client, name: Service): Promise<void> {
  const [id, owner] = [pg.escapeIdentifier(name), pg.escapeIdentifier(`${name}_owner`)];
  if (!(await exists(admin, `${name}_owner`))) await admin.query(`CREATE ROLE ${owner} NOLOGIN`);
  await admin.query(`ALTER ROLE ${id} SET idle_in_transaction_session_timeout = ${restMs}`);
  await admin.query(`GRANT ${owner} TO ${migrationUser}`);
  await admin.query(`ALTER DATABASE ${id} OWNER TO ${owner}`);
  await admin.query(`GRANT CONNECT ON DATABASE ${id} TO ${id}, ${migrationUser}`);
  await admin.query(`ALTER ROLE ${migrationUser} IN DATABASE ${id} SET role = ${owner}`);
}

/** Grants rows to the service's user and tables to their owner. */
async function shareRows(admin: pg.Client, name: Service): Promise<void> {
  const [id, owner] = [pg.escapeIdentifier(name), pg.escapeIdentifier(`${name}_owner`)];
  const rights = [
    ['SELECT, INSERT, UPDATE, DELETE', 'TABLES'],
    ['USAGE, SELECT', 'SEQUENCES'],
  ];
  for (const [right, kind] of rights) {
    await admin.query(`GRANT ${right} ON ALL ${kind} IN SCHEMA public TO ${id}`);
    await admin.query(
      `ALTER DEFAULT PRIVILEGES FOR ROLE ${owner} IN SCHEMA public GRANT ${right} ON ${kind} TO ${id}`,
    );
  }
  await protectHistory(admin, name);
}

/**
 * Leaves the service's user only read access to the record of migrations: with write access it could make one
 * be skipped. The first migration creates the table, after set-up.
 */
export async function protectHistory(client: pg.Client, name: Service): Promise<void> {
  const table = await client.query<{ there: boolean }>(
    `SELECT to_regclass('public._prisma_migrations') IS NOT NULL AS there`,
  );
  if (!table.rows[0]?.there) return;
  await client.query(`REVOKE INSERT, UPDATE, DELETE ON _prisma_migrations FROM ${pg.escapeIdentifier(name)}`);
}

async function createExtensions(admin: pg.Client): Promise<void> {
  for (const name of extensions) await admin.query(`CREATE EXTENSION IF NOT EXISTS ${name}`);
}

/** The address of a database on this server, with the superuser's credentials. */
export const inDatabase = (adminUrl: string, name: Database): string =>
  Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href;

/** Opens a connection to a database, passes it to `work`, and closes it at the end. */
export async function withClient<T>(
  connectionString: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
