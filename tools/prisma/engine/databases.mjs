import { randomUUID } from 'node:crypto';
import { URL } from 'node:url';
import pg from 'pg';

/**
 * The database of a connection string, and other databases of the same server.
 * The string is parsed, because pg prefers the database in a connection string to any other option: the
 * shadow database would be the REAL one.
 */
export function createDatabases(connectionString) {
  const url = new URL(connectionString);
  const schema = url.searchParams.get('schema') ?? undefined;
  url.searchParams.delete('schema');
  const { host, port, user, password, database, ssl } = new pg.Client({ connectionString: url.href });
  const config = { host, port, user, password, database, ssl };

  /** Runs SQL in a database; without SQL it only connects. */
  async function run(name, sql) {
    const client = new pg.Client({ ...config, database: name });
    await client.connect();
    try {
      if (sql) await client.query(sql);
    } finally {
      await client.end();
    }
  }
  const drop = (name) => run('postgres', `DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`);

  return {
    config,
    schema,
    connect: () => run(database),
    async create() {
      await run('postgres', `CREATE DATABASE ${pg.escapeIdentifier(database)}`);
      return { databaseName: database };
    },
    drop: () => drop(database),
    /** Creates a database for replaying migrations; call `remove` afterwards. */
    async createShadow() {
      const name = `prisma_migrate_shadow_db_${randomUUID()}`;
      await run('postgres', `CREATE DATABASE ${pg.escapeIdentifier(name)}`);
      return { config: { ...config, database: name }, remove: () => drop(name) };
    },
  };
}
