import { startParts, type Parts } from '@stoa/system';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

const repository = join(import.meta.dirname, '../../..');

const schema = (fields = '') => `
generator client {
  provider = "prisma-client"
  output   = "./generated"
}
datasource db {
  provider = "postgresql"
}
model Note {
  id    Int    @id @default(autoincrement())
  title String
  ${fields}
}
`;

const migration = `
CREATE TABLE "Note" ("id" SERIAL NOT NULL, "title" TEXT NOT NULL, CONSTRAINT "Note_pkey" PRIMARY KEY ("id"));
-- a comment; with a semicolon
CREATE FUNCTION shout() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.title := upper(NEW.title);
  RETURN NEW;
END;
$$;
CREATE TRIGGER shout BEFORE INSERT ON "Note" FOR EACH ROW EXECUTE FUNCTION shout();
`;

let parts: Parts;
let folder: string;
let url: string;

beforeAll(async () => {
  parts = await startParts({ only: ['postgres'] });
});
afterAll(async () => {
  await parts.stop();
});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stoa-prisma-'));
  url = Object.assign(new URL(parts.postgres.adminUrl), { pathname: `/${randomUUID()}` }).href;
  mkdirSync(join(folder, 'migrations/1_notes'), { recursive: true });
  writeFileSync(join(folder, 'schema.prisma'), schema());
  writeFileSync(join(folder, 'migrations/migration_lock.toml'), 'provider = "postgresql"\n');
  writeFileSync(join(folder, 'migrations/1_notes/migration.sql'), migration);
  writeFileSync(
    join(folder, 'prisma.config.mjs'),
    `export default { schema: 'schema.prisma', migrations: { path: 'migrations' }, datasource: { url: process.env.DATABASE_URL } };`,
  );
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs Prisma's command line as a service does. */
function prisma(...args: string[]): Promise<{ code: number; output: string }> {
  const env = {
    ...process.env,
    DATABASE_URL: url,
    PRISMA_SCHEMA_ENGINE_BINARY: join(repository, 'tools/prisma/schema-engine.mjs'),
    CHECKPOINT_DISABLE: '1',
  };
  const program = join(repository, 'node_modules/.bin/prisma');
  const { promise, resolve } = Promise.withResolvers<{ code: number; output: string }>();
  execFile(process.execPath, [program, ...args], { cwd: folder, env }, (error, stdout, stderr) => {
    resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr });
  });
  return promise;
}

async function query(sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('the schema engine from npm', () => {
  it('creates the database and applies a migration whose function body contains semicolons', async () => {
    expect(await prisma('migrate', 'deploy')).toMatchObject({ code: 0 });

    await query(`INSERT INTO "Note" (title) VALUES ('stoa')`);
    expect(await query('SELECT title FROM "Note"')).toEqual([{ title: 'STOA' }]);
  });

  it('detects drift only when the schema is ahead of the migrations', async () => {
    await prisma('migrate', 'deploy');
    // The first command replays the migrations in a shadow database, the second reads the real one.
    const sources = [['--from-migrations', 'migrations'], ['--from-config-datasource']];
    const diffs = sources.map((from) => [
      'migrate',
      'diff',
      ...from,
      '--to-schema',
      'schema.prisma',
      '--exit-code',
    ]);
    for (const diff of diffs) expect(await prisma(...diff)).toMatchObject({ code: 0 });

    writeFileSync(join(folder, 'schema.prisma'), schema('body String?'));
    for (const diff of diffs) {
      const drift = await prisma(...diff);
      expect(drift.code).toBe(2);
      expect(drift.output).toContain('body');
    }
  });

  it('allows two concurrent deploys', async () => {
    await prisma('migrate', 'deploy');
    mkdirSync(join(folder, 'migrations/2_body'));
    writeFileSync(join(folder, 'migrations/2_body/migration.sql'), 'ALTER TABLE "Note" ADD "body" TEXT;');

    const both = await Promise.all([prisma('migrate', 'deploy'), prisma('migrate', 'deploy')]);

    expect(both).toMatchObject([{ code: 0 }, { code: 0 }]);
    expect(await query('SELECT migration_name FROM _prisma_migrations')).toHaveLength(2);
  });

  it('names the migration that failed', async () => {
    writeFileSync(join(folder, 'migrations/1_notes/migration.sql'), 'CREATE TABLE broken (;');

    const { code, output } = await prisma('migrate', 'deploy');

    expect(code).toBe(1);
    expect(output).toContain('1_notes');
  });
});
