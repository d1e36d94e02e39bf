import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from 'pg';
import { inRepository } from '../paths.ts';
import { Problem } from '../problem.ts';
import { protectHistory, withClient } from '../provision/databases.ts';
import type { PartsDescription } from '../settings/parts-description.ts';
import { services, type Service } from '../settings/names.ts';

/**
 * The lock that Prisma holds during a migration, so that this and a developer's `prisma migrate` exclude each
 * other.
 */
const prismasLock = 72_707_369;

/**
 * The first line of a migration that commits by itself: as one transaction it would hold locks for too long.
 * It must be repeatable.
 */
const commitsByItself = /^-- Commits by itself/;

/** Prisma's own table: its command line reads it to write migrations and compare schemas. */
const record = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum VARCHAR(64) NOT NULL,
  finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL,
  logs TEXT,
  rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;

/** Applies the pending migrations of every service. Returns the services that had some. */
export async function migrateAll({ postgres }: Pick<PartsDescription, 'postgres'>): Promise<Service[]> {
  const migrated = await Promise.all(
    services.map(async (service) => {
      const applied: string[] = [];
      await withClient(postgres.migrationUrls[service], async (owner) => {
        applied.push(...(await applyMigrations(owner, inRepository('apps', service, 'prisma/migrations'))));
        await protectHistory(owner, service);
      });
      return applied.length > 0 ? [service] : [];
    }),
  );
  return migrated.flat();
}

/**
 * Applies the pending migrations of a Prisma folder in order and returns their names. A migration and its
 * record are one transaction, so a failed one leaves no trace and can be retried. A migration that commits by
 * itself must be safe to retry.
 *
 * @throws Problem if a migration fails, was applied with another content, or was left unfinished by Prisma.
 */
export async function applyMigrations(client: Client, folder: string): Promise<string[]> {
  await client.query(`SELECT pg_advisory_lock(${prismasLock})`);
  try {
    await client.query(record);
    const { rows } = await client.query<{ name: string; checksum: string; finished: boolean }>(
      `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished
       FROM _prisma_migrations WHERE rolled_back_at IS NULL`,
    );
    const known = new Map(rows.map((row) => [row.name, row]));
    const applied: string[] = [];
    for (const { name, script, checksum } of await migrationsIn(folder)) {
      const entry = known.get(name);
      if (entry?.finished && entry.checksum === checksum) continue;
      if (entry)
        throw new Problem(
          `The migration ${name} was ${entry.finished ? 'applied in another form' : 'left half done'}.`,
        );
      await apply(client, name, script, checksum);
      applied.push(name);
    }
    return applied;
  } finally {
    await client.query(`SELECT pg_advisory_unlock(${prismasLock})`);
  }
}

async function apply(client: Client, name: string, script: string, checksum: string): Promise<void> {
  try {
    if (commitsByItself.test(script)) await client.query(script);
    await client.query('BEGIN');
    if (!commitsByItself.test(script)) await client.query(script);
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, now(), 1)`,
      [randomUUID(), checksum, name],
    );
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw new Problem(
      `The migration ${name} failed: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

async function migrationsIn(folder: string) {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return Promise.all(
    names.toSorted().map(async (name) => {
      const script = await readFile(join(folder, name, 'migration.sql'), 'utf8');
      return { name, script, checksum: createHash('sha256').update(script).digest('hex') };
    }),
  );
}
