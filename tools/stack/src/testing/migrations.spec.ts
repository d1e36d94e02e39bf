import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { squawk } from '@stoa/system/fetch/squawk';
import { plainReporter } from '@stoa/system/progress';
import { unacceptedFindings, lintMigrations } from './migrations.ts';

const folder = mkdtempSync(join(tmpdir(), 'stoa-lint-'));
let program: string;
beforeAll(async () => {
  // The first run on a machine fetches Squawk.
  program = await squawk(plainReporter(() => undefined).task('Linter of migrations'));
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true }));

async function rulesBrokenBy(script: string): Promise<string[]> {
  const file = join(folder, 'migration.sql');
  writeFileSync(file, script);
  return (await lintMigrations([file], program)).map(({ rule }) => rule);
}

it.each([
  ['ALTER TABLE creator RENAME COLUMN bio TO about', 'renaming-column'],
  ['ALTER TABLE creator RENAME TO person', 'renaming-table'],
  ['ALTER TABLE creator DROP COLUMN bio', 'ban-drop-column'],
  ['DROP TABLE creator', 'ban-drop-table'],
  ['ALTER TABLE creator ALTER COLUMN number TYPE bigint', 'changing-column-type'],
  ['ALTER TABLE creator ADD COLUMN city text NOT NULL', 'adding-required-field'],
  ['ALTER TABLE creator ALTER COLUMN bio SET NOT NULL', 'adding-not-nullable-field'],
  ['ALTER TABLE creator ADD CONSTRAINT few CHECK (number < 9)', 'constraint-missing-not-valid'],
])('refuses %s', async (statement, rule) => {
  expect(await rulesBrokenBy(`-- A change.\n${statement};\n`)).toContain(rule);
});

it('accepts expanding changes: a table, an optional column, an index', async () => {
  const script = `CREATE TABLE note (id uuid PRIMARY KEY, text text NOT NULL);
    ALTER TABLE creator ADD COLUMN city text, ADD COLUMN visits int NOT NULL DEFAULT 0;
    CREATE INDEX creator_city ON creator (city);`;
  expect(await rulesBrokenBy(script)).toEqual([]);
});

it('reports findings without an exception, and unused exceptions', () => {
  const finding = { line: 3, rule: 'ban-drop-table', message: 'No.' };
  const findings = ['a', 'b'].map((name) => ({ file: `${name}/migration.sql`, ...finding }));
  expect(
    unacceptedFindings(findings, { 'a ban-drop-table': 'Never written.', 'c ban-drop-table': 'Gone.' }),
  ).toEqual(['b/migration.sql:3 ban-drop-table: No.', 'c ban-drop-table is accepted and not there']);
});
