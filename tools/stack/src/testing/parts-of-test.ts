import { join } from 'node:path';
import { compile } from '@stoa/system/apps/development';
import { inRepository, stateFolder } from '@stoa/system/paths';
import { CommandFailed, run } from '@stoa/system/processes/run';
import type { Reporter } from '@stoa/system/progress';
import { runningDevelopment } from '@stoa/system/testing/development-system';
import { withSystem } from '../commands/with-system.ts';
import { coreArguments } from './core-journeys.ts';
import { runBrowserTests, type Run } from './journeys.ts';
import { clearReports } from './reports.ts';
import { hasDrills, type Selection, workspaceNames } from './selection.ts';
import { runStage } from './stage.ts';
import { add, type Tally } from './tally.ts';

/** Runs a part of `npm test`. */
export function partOf(selection: Exclude<Selection, { kind: 'all' | 'browser' }>) {
  return async (reporter: Reporter, _workplace: unknown, total: Tally): Promise<void> => {
    const count = async (part: Promise<Tally>) => add(total, await part);
    clearReports();
    if (selection.kind === 'workspaces')
      return count(runCode(reporter, 'Tests', only(selection.names, ...fast, 'contract')));
    if (selection.kind === 'affected')
      return count(runCode(reporter, 'Affected', ['affected', '-t', ...fast, 'contract', '--parallel=2']));
    await Promise.all([quickCode(reporter, count), count(runCoreJourneys(reporter))]);
  };
}

const fast = ['lint', 'typecheck', 'unit'];

/**
 * Runs Nx targets. If `npm run dev` is running, its compiler has built the dependencies. Nx would restore
 * them from its cache, and each app would restart during the tests.
 */
async function runCode(reporter: Reporter, title: string, args: string[]): Promise<Tally> {
  if (!runningDevelopment()) return runStage(reporter, title, args);
  await compile();
  return runStage(reporter, title, [...args, '--exclude-task-dependencies']);
}

const only = (names: readonly string[], ...targets: string[]) => [
  'run-many',
  ...['-p', names.map((name) => `@stoa/${name}`).join(',')],
  ...['-t', ...targets, '--parallel=2'],
];

/** Dependents of a changed library are checked by the compiler of `npm run dev`, and by `--affected`. */
async function quickCode(reporter: Reporter, count: (part: Promise<Tally>) => Promise<void>): Promise<void> {
  const changed = changedWorkspaces(await changedFiles());
  if (changed.length === 0) reporter.line('No workspace has changed since main.');
  else await count(runCode(reporter, `Code of ${changed.join(', ')}`, only(changed, ...fast)));
}

/** Files that differ from the point where this branch left main, committed or not. */
async function changedFiles(): Promise<string[]> {
  const git = async (...args: string[]) =>
    (await run('git', args, { cwd: inRepository() })).split('\n').filter((line) => line !== '');
  const [base = 'HEAD'] = await git('merge-base', 'main', 'HEAD');
  return [
    ...(await git('diff', '--name-only', base)),
    ...(await git('ls-files', '--others', '--exclude-standard')),
  ];
}

/** The workspaces of these files. */
export function changedWorkspaces(
  files: readonly string[],
  workspaces = [...workspaceNames(), 'e2e'],
): string[] {
  const folders = files.map((file) => /^(?:apps|libs|tools)\/([^/]+)\//.exec(file)?.[1]);
  return workspaces.filter((name) => folders.includes(name)).toSorted();
}

const core: Run = ['Core journeys', 'api', 'journeys'];

async function runCoreJourneys(reporter: Reporter): Promise<Tally> {
  const output = join(stateFolder, 'test-results');
  const parts = runningDevelopment();
  if (parts)
    return runBrowserTests(reporter, { STOA_TEST_PARTS: parts }, output, [core], [], coreArguments());
  reporter.line(
    'npm run dev does not run: the core journeys start a system of their own, which takes longer.',
  );
  const own = [inRepository('tools/stack/bin/stoa.mjs'), 'with-system', process.execPath];
  return runBrowserTests(reporter, {}, output, [core], own, coreArguments());
}

/** Runs browser tests on the system of `npm run dev`, or on a system of their own. */
export async function runChosenBrowserTests({
  files,
  options,
}: Extract<Selection, { kind: 'browser' }>): Promise<number> {
  const program = inRepository('node_modules/.bin/playwright');
  const config = inRepository('apps/e2e/playwright.config.ts');
  const named = options.some((option) => option.startsWith('--project'));
  const projects =
    files.length > 0 || named ? [] : ['api', 'journeys', 'looks', 'spec'].map((name) => `--project=${name}`);
  const drills = hasDrills({ files, options });
  // Uses one worker for drills: each stops parts that the others need.
  const serial = drills ? ['--workers=1'] : [];
  const retries = process.env.CI ? ['--retries=1'] : [];
  const output = `--output=${join(stateFolder, 'test-results', 'chosen')}`;
  const settings = ['-c', config, '--no-deps', output, ...serial, ...retries];
  const command = [program, 'test', ...settings, ...projects, ...files, ...options];
  const parts = drills ? undefined : runningDevelopment();
  if (!parts) return withSystem([process.execPath, ...command]);
  try {
    const env = { ...process.env, STOA_TEST_PARTS: parts };
    await run(process.execPath, command, { env, onLine: (line) => console.log(line) });
    return 0;
  } catch (error) {
    // Returns without a message, because Playwright has already printed the failures.
    if (error instanceof CommandFailed) return 1;
    throw error;
  }
}
