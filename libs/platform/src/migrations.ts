import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';

const undefinedTable = '42P01';

/** The migrations in `folder` that the database has not applied in exactly this form. Migrations of newer releases are ignored. */
export async function missingMigrations(databaseUrl: string, folder: string): Promise<string[]> {
  const applied = await appliedMigrations(databaseUrl);
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const checked = await Promise.all(
    names.map(async (name) => {
      const script = await readFile(join(folder, name, 'migration.sql'));
      const checksum = createHash('sha256').update(script).digest('hex');
      return { name, applied: applied.has(`${name} ${checksum}`) };
    }),
  );
  return checked.filter((migration) => !migration.applied).map(({ name }) => name);
}

async function appliedMigrations(connectionString: string): Promise<Set<string>> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 4000, query_timeout: 4000 });
  // Without a listener an error between two queries would end the process. A running query reports it as well.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ applied: string }>(
      `SELECT migration_name || ' ' || checksum AS applied FROM _prisma_migrations
       WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`,
    );
    return new Set(rows.map((row) => row.applied));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === undefinedTable) return new Set();
    throw error;
  } finally {
    await client.end();
  }
}
