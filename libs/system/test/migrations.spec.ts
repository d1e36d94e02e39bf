import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyMigrations, startParts, withClient, type Parts } from '../src/index.ts';

const first = `CREATE TABLE words (word text);
CREATE FUNCTION twice(word text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN RETURN word; RETURN word; END $$;`;

let parts: Parts;
let folder: string;
beforeAll(async () => {
  parts = await startParts({ only: ['postgres'] });
});
afterAll(() => parts.stop());
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stoa-migrations-'));
  await withClient(parts.postgres.migrationUrls.creators, async (owner) => {
    await owner.query('DROP TABLE IF EXISTS words, _prisma_migrations; DROP FUNCTION IF EXISTS twice');
  });
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, script: string): void {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, 'migration.sql'), script);
}

async function migrate(): Promise<string[]> {
  const applied: string[] = [];
  await withClient(parts.postgres.migrationUrls.creators, async (owner) => {
    applied.push(...(await applyMigrations(owner, folder)));
  });
  return applied;
}

it('applies each migration once, in order, also in two concurrent processes', async () => {
  write('1_first', first);
  write('2_second', 'ALTER TABLE words ADD COLUMN number int');

  const both = await Promise.all([migrate(), migrate()]);

  expect(both.flat()).toEqual(['1_first', '2_second']);
  expect(await migrate()).toEqual([]);
});

it('rolls back and names a failed migration, and applies it once it is corrected', async () => {
  write('1_first', first);
  write('2_second', 'ALTER TABLE words ADD COLUMN number int; ALTER TABLE nowhere ADD COLUMN number int');
  await expect(migrate()).rejects.toThrow('The migration 2_second failed: relation "nowhere" does not exist');

  write('2_second', 'ALTER TABLE words ADD COLUMN number int');
  expect(await migrate()).toEqual(['2_second']);
});

it('refuses a migration that was changed after it was applied', async () => {
  write('1_first', first);
  await migrate();

  write('1_first', `${first} `);
  await expect(migrate()).rejects.toThrow('The migration 1_first was applied in another form.');
});

it('keeps the batches of a migration that commits by itself, and runs it again after a failure', async () => {
  write('1_first', `${first} INSERT INTO words VALUES ('one'), ('two');`);
  await migrate();
  const batch = 'UPDATE words SET word = upper(word) WHERE word <> upper(word)';
  const filling = (end: string) => `-- Commits by itself.
    DO $$ BEGIN ${batch}; COMMIT; ${end} END $$;`;

  write('2_second', filling("RAISE EXCEPTION 'interrupted';"));
  await expect(migrate()).rejects.toThrow('The migration 2_second failed: interrupted');
  await withClient(parts.postgres.migrationUrls.creators, async (owner) => {
    expect((await owner.query('SELECT word FROM words')).rows).toEqual([{ word: 'ONE' }, { word: 'TWO' }]);
  });

  write('2_second', filling(''));
  expect(await migrate()).toEqual(['2_second']);
});
