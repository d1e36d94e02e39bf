import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { inRepository } from '../paths.ts';
import { Problem } from '../problem.ts';
import { CommandFailed, run } from '../processes/run.ts';
import { protectHistory, withClient } from '../provision/databases.ts';
import { onlyThisAuthority } from '../settings/certificates.ts';
import type { PartsDescription } from '../settings/description.ts';
import { services, type Service } from '../settings/names.ts';

/** Applies the migrations of every service that has some not yet applied, and answers which. */
export async function migrateAll({ postgres, certificates }: PartsDescription): Promise<Service[]> {
  const pending: Service[] = [];
  for (const service of services)
    if (await isPending(service, postgres.migrationUrls[service])) pending.push(service);
  const trust = certificates ? onlyThisAuthority(certificates) : {};
  await Promise.all(pending.map((service) => migrate(service, postgres.migrationUrls[service], trust)));
  for (const service of services)
    await withClient(postgres.migrationUrls[service], (owner) => protectHistory(owner, service));
  return pending;
}

async function migrate(service: Service, databaseUrl: string, trust: Record<string, string>): Promise<void> {
  const env = {
    ...process.env,
    ...trust,
    DATABASE_URL: databaseUrl,
    PRISMA_SCHEMA_ENGINE_BINARY: inRepository('tools/prisma/schema-engine.mjs'),
    // Prisma asks its makers for news otherwise.
    CHECKPOINT_DISABLE: '1',
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
  };
  try {
    const prisma = inRepository('node_modules/.bin/prisma');
    await run(process.execPath, [prisma, 'migrate', 'deploy'], { cwd: inRepository('apps', service), env });
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    throw new Problem(`The migrations of ${service} failed:\n${error.output}`);
  }
}

/** Asking Postgres takes milliseconds, Prisma more than a second for each service. */
async function isPending(service: Service, databaseUrl: string): Promise<boolean> {
  const folder = inRepository('apps', service, 'prisma/migrations');
  if (!existsSync(folder)) return false;
  const wanted = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${name} ${checksum(join(folder, name, 'migration.sql'))}`);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ applied: string }>(
      `SELECT migration_name || ' ' || checksum AS applied FROM _prisma_migrations
       WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`,
    );
    const applied = new Set(rows.map((row) => row.applied));
    return wanted.some((migration) => !applied.has(migration));
  } catch {
    // No table yet; whatever else is wrong Prisma says better.
    return true;
  } finally {
    await client.end();
  }
}

const checksum = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');
