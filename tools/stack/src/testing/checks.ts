import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { inRepository } from '@stoa/system/paths';
import { run } from '@stoa/system/processes/run';
import type { PartsDescription } from '@stoa/system/settings/parts-description';
import { services } from '@stoa/system/settings/names';
import { claimsOf, readRequirements, summaryOf } from './asvs.ts';
import { checkPinnedParts } from './advisories.ts';
import { type Claim, missingTests } from './named-tests.ts';
import { readPromises } from './product.ts';
import { type Check, commandCheck, CheckFailed } from './check.ts';
import { checkLinks } from './links.ts';
import { checkLockfile } from './lockfile.ts';
import { checkMigrations } from './migrations.ts';
import { passedTests, testsWithoutEngine } from './reports.ts';
import { checkAdvisories, checkInstallScripts } from './supply-chain.ts';

/** npm puts a program beside its workspace when another version of it lies at the root. */
function bin(name: string, workspace = ''): string {
  const own = inRepository(workspace, 'node_modules/.bin', name);
  return existsSync(own) ? own : inRepository('node_modules/.bin', name);
}

/** Checks of the files alone. */
export const fileChecks = (scratch: string, say: (line: string) => void): Check[] => [
  { title: 'Lockfile', run: checkLockfile },
  { title: 'Install scripts', run: checkInstallScripts },
  { title: 'Advisories of packages', run: () => checkAdvisories(say) },
  { title: 'Advisories of parts', run: () => checkPinnedParts(say) },
  commandCheck('Format', bin('prettier'), ['--check', '--log-level=warn', '.'], { cwd: inRepository() }),
  { title: 'Links', run: checkLinks },
  { title: 'Migrations', run: checkMigrations },
  { title: 'API types', run: () => checkApiTypes(scratch) },
  { title: 'Spec coverage', run: () => checkSpecCoverage(scratch) },
];

/** Whether the web app's types still say what the gateway's OpenAPI document says. */
async function checkApiTypes(scratch: string): Promise<void> {
  const web = inRepository('apps/web');
  const fresh = join(scratch, 'schema.d.ts');
  const program = bin('openapi-typescript', 'apps/web');
  await run(process.execPath, [program, inRepository('apps/gateway/openapi.json'), '-o', fresh], {
    cwd: web,
  });
  await expectCurrent(join(web, 'src/api/schema.d.ts'), fresh, 'npm run stoa generate openapi');
}

/** Whether every line of the spec has its one row, and docs/spec-coverage.md shows them all. */
async function checkSpecCoverage(scratch: string): Promise<void> {
  const fresh = join(scratch, 'spec-coverage.md');
  const list = ['test', '--list', '--reporter=./src/spec-table.reporter.ts'];
  await run(process.execPath, [bin('playwright'), ...list], {
    cwd: inRepository('apps/e2e'),
    env: { ...process.env, STOA_SPEC_COVERAGE: fresh },
  });
  await expectCurrent(inRepository('docs/spec-coverage.md'), fresh, 'npm run stoa generate spec-coverage');
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

/** Whether migrating has made of each database what its schema says; the databases have just been migrated. */
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

/** Whether the tests that documents name have run and passed; every stage has ended. */
export const claimChecks = (say: (line: string) => void): Check[] => [
  {
    title: 'ASVS',
    run: async () => {
      const requirements = readRequirements(readFileSync(inRepository('docs/asvs.md'), 'utf8'));
      requirePassed('docs/asvs.md', claimsOf(requirements));
      say(`ASVS 5.0, ${summaryOf(requirements)}`);
    },
  },
  {
    title: 'Product',
    run: async () => {
      for (const document of ['docs/product.md', 'docs/walk-through.md'])
        requirePassed(document, readPromises(readFileSync(inRepository(document), 'utf8')));
    },
  },
];

function requirePassed(document: string, claims: readonly Claim[]): void {
  // A run without Firefox or WebKit has said so, and neither shows nor refutes what is claimed of them.
  const missing = missingTests(claims, [...passedTests(), ...testsWithoutEngine()]);
  if (missing.length > 0)
    throw new CheckFailed(`${document} counts on tests that did not pass:\n  ${missing.join('\n  ')}`);
}
