import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { inRepository } from '@stoa/system/paths';
import { run } from '@stoa/system/processes/run';
import type { PartsDescription } from '@stoa/system/settings/parts-description';
import { services } from '@stoa/system/settings/names';
import { claimsOf, readRequirements, summaryOf } from './asvs.ts';
import { checkPinnedParts } from './advisories.ts';
import { type Claim, declaredIds, faultyIds, missingTests } from './named-tests.ts';
import { readPromises } from './product.ts';
import { type Check, commandCheck, CheckFailed } from './check.ts';
import { checkDocuments } from './documents.ts';
import { checkLinks } from './links.ts';
import { checkLockfile } from './lockfile.ts';
import { checkMigrations } from './migrations.ts';
import { passedTests, testsWithoutEngine } from './reports.ts';
import { checkAdvisories, checkInstallScripts } from './supply-chain.ts';

/** npm installs a program in its workspace if the root has another version of it. */
function bin(name: string, workspace = ''): string {
  const own = inRepository(workspace, 'node_modules/.bin', name);
  return existsSync(own) ? own : inRepository('node_modules/.bin', name);
}

/** Checks that need only the files. */
export const fileChecks = (scratch: string, say: (line: string) => void): Check[] => [
  { title: 'Lockfile', run: checkLockfile },
  { title: 'Install scripts', run: checkInstallScripts },
  { title: 'Advisories of packages', run: () => checkAdvisories(say) },
  { title: 'Advisories of parts', run: () => checkPinnedParts(say) },
  commandCheck('Format', bin('prettier'), ['--check', '--log-level=warn', '.'], { cwd: inRepository() }),
  { title: 'Links', run: checkLinks },
  { title: 'Documents', run: async () => checkDocuments(say) },
  { title: 'Ids of tests', run: checkTestIds },
  { title: 'Migrations', run: checkMigrations },
  { title: 'Spec coverage', run: () => checkSpecCoverage(scratch) },
];

/** Checks that docs/evidence/spec-coverage.md is current, with one row for each line of the specification. */
async function checkSpecCoverage(scratch: string): Promise<void> {
  const fresh = join(scratch, 'spec-coverage.md');
  const list = ['test', '--list', '--reporter=./src/spec-table.reporter.ts'];
  await run(process.execPath, [bin('playwright'), ...list], {
    cwd: inRepository('apps/e2e'),
    env: { ...process.env, STOA_SPEC_COVERAGE: fresh },
  });
  await expectCurrent(
    inRepository('docs/evidence/spec-coverage.md'),
    fresh,
    'npm run stoa generate spec-coverage',
  );
}

async function expectCurrent(committed: string, fresh: string, command: string): Promise<void> {
  const style = inRepository('.prettierrc.json');
  await run(process.execPath, [bin('prettier'), '--config', style, '--write', fresh], {
    cwd: dirname(committed),
  });
  if (existsSync(committed) && readFileSync(fresh, 'utf8') === readFileSync(committed, 'utf8')) return;
  const name = relative(inRepository(), committed);
  throw new CheckFailed(`${name} is out of date: run "${command}" and commit the result.`);
}

/** Checks that the migrated databases match their schemas. Needs freshly migrated databases. */
export const migrationChecks = ({ postgres }: PartsDescription): Check[] =>
  services.map((service) =>
    commandCheck(
      `Migrations of ${service}`,
      bin('prisma'),
      ['migrate', 'diff', '--from-config-datasource', '--to-schema', 'prisma/schema.prisma', '--exit-code'],
      {
        cwd: inRepository('apps', service),
        env: {
          DATABASE_URL: postgres.migrationUrls[service],
          PRISMA_SCHEMA_ENGINE_BINARY: inRepository('tools/prisma/schema-engine.mjs'),
          CHECKPOINT_DISABLE: '1',
        },
      },
    ),
  );

/** The documents whose claims cite tests, with their parsers. */
const registers: Readonly<Record<string, (markdown: string) => Claim[]>> = {
  'docs/evidence/asvs.md': (markdown) => claimsOf(readRequirements(markdown)),
  'docs/evidence/product.md': readPromises,
  'docs/evidence/walk-through.md': readPromises,
};

const claimsIn = (document: string): Claim[] =>
  registers[document]?.(readFileSync(inRepository(document), 'utf8')) ?? [];

/** Checks that each id is declared by one test, and that each cited id exists. */
export async function checkTestIds(): Promise<void> {
  const faults = faultyIds(declaredIds(), Object.keys(registers).flatMap(claimsIn));
  if (faults.length > 0) throw new CheckFailed(`Ids of tests:\n  ${faults.join('\n  ')}`);
}

/** Checks that the tests cited by documents have passed. Runs after all stages. */
export const claimChecks = (say: (line: string) => void): Check[] => [
  {
    title: 'ASVS',
    run: async () => {
      requirePassed('docs/evidence/asvs.md');
      const text = readFileSync(inRepository('docs/evidence/asvs.md'), 'utf8');
      say(`ASVS 5.0, ${summaryOf(readRequirements(text))}`);
    },
  },
  {
    title: 'Product',
    run: async () => {
      for (const document of ['docs/evidence/product.md', 'docs/evidence/walk-through.md'])
        requirePassed(document);
    },
  },
];

function requirePassed(document: string): void {
  // Tests for Firefox or WebKit count neither as passed nor as failed without these engines; the run has
  // already reported that.
  const missing = missingTests(claimsIn(document), [...passedTests(), ...testsWithoutEngine()]);
  if (missing.length > 0)
    throw new CheckFailed(`${document} counts on tests that did not pass:\n  ${missing.join('\n  ')}`);
}
