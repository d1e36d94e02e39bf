import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from '@stoa/system/paths';
import type { NamedTest, Passed } from './named-tests.ts';

/**
 * The parts of Jest's JSON report that are read here. A file that cannot be loaded is a failed suite without
 * tests.
 */
interface UnitReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numRuntimeErrorTestSuites: number;
  testResults: {
    name: string;
    assertionResults: {
      fullName: string;
      status: string;
      invocations?: number;
      failureMessages?: string[];
      retryReasons?: string[];
    }[];
  }[];
}

interface BrowserReport {
  config: { rootDir: string };
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  errors: unknown[];
  suites: BrowserSuite[];
}
interface BrowserSuite {
  title: string;
  file: string;
  suites?: BrowserSuite[];
  specs: {
    title: string;
    ok: boolean;
    tests: { status: string; results: { error?: { message?: string } }[] }[];
  }[];
}

/** The test reports of the workspaces, `.reports/<target>.json`; Nx stores them with the task's result. */
const reports = '{apps,libs,tools}/*/.reports/{unit,contract,e2e-*}.json';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Counts the tests of a workspace's report; undefined without a report, for tasks that run no tests. */
export function countsOf(project: string, target: string): Counts | undefined {
  const folder = folders().get(project);
  const file = `${root}/${folder}/.reports/${target}.json`;
  if (folder === undefined || !existsSync(file)) return undefined;
  const report = JSON.parse(readFileSync(file, 'utf8')) as UnitReport | BrowserReport;
  if ('stats' in report) {
    const { expected, flaky, unexpected, skipped } = report.stats;
    return { passed: expected + flaky, failed: unexpected + report.errors.length, skipped };
  }
  const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
  return { passed: report.numPassedTests, failed, skipped: report.numPendingTests };
}

function folders(): Map<string, string> {
  const manifests = globSync('{apps,libs,tools}/*/package.json', { cwd: root });
  return new Map(
    manifests.map((file) => {
      const { name } = JSON.parse(readFileSync(`${root}/${file}`, 'utf8')) as { name: string };
      return [name, dirname(file)];
    }),
  );
}

/** Deletes reports of earlier runs that this run writes again: a removed test must not prove anything. */
export function clearReports(): void {
  for (const name of globSync('{apps,libs,tools}/*/.reports/{contract,e2e*}.json', { cwd: root }))
    rmSync(`${root}/${name}`);
}

/** All tests that passed in the last run. */
export const passedTests = (): Passed => testsThat(({ status }) => passed.includes(status));

/** All tests that the last run skipped because their browser engine is not installed. */
export const testsWithoutEngine = (): Passed =>
  testsThat(({ status }) => status === 'skipped').filter(({ file }) => file.startsWith('apps/e2e/engines/'));

/** All tests of the last run that failed first and passed when repeated: file, title and first error. */
export const flakyTests = (): string[] =>
  testsThat(({ status, tries }) => status === 'flaky' || (status === 'passed' && tries > 1)).map(withError);

/** All failed tests of the last run: file, title and first error. */
export const failedTests = (): string[] => testsThat(({ status }) => failed.includes(status)).map(withError);

const passed = ['passed', 'expected', 'flaky'];
const failed = ['failed', 'unexpected'];

/** As much of an error as fits on a screen: a CI log may keep only its end. */
const errorLines = 24;

const withError = ({ file, title, error }: FoundTest) =>
  [`${file}: ${title}`, ...stripVTControlCharacters(error ?? '').split('\n', errorLines)]
    .filter((line) => line.trim() !== '')
    .map((line) => line.slice(0, 400))
    .join('\n    ');

/** A test of a report, with its first error if it failed. */
interface FoundTest extends NamedTest {
  readonly error?: string;
}

type Choice = (test: { status: string; tries: number }) => boolean;

const testsThat = (choice: Choice): FoundTest[] =>
  globSync(reports, { cwd: root }).flatMap((name) => {
    const report = JSON.parse(readFileSync(`${root}/${name}`, 'utf8')) as UnitReport | BrowserReport;
    return 'testResults' in report ? unitsThat(choice, report) : journeysThat(choice, report);
  });

/** A cached report may come from another checkout, so file names start at the workspace. */
const fromRoot = (file: string) =>
  /(?:apps|libs|tools)\/.*$/.exec(existsSync(file) ? relative(root, file) : file)?.[0] ?? file;

const unitsThat = (choice: Choice, { testResults }: UnitReport): FoundTest[] =>
  testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status, invocations }) => choice({ status, tries: invocations ?? 1 }))
      .map(({ fullName, failureMessages = [], retryReasons = [] }) => ({
        file: fromRoot(name),
        title: fullName.trim(),
        error: [...retryReasons, ...failureMessages][0],
      })),
  );

const journeysThat = (choice: Choice, { config, suites }: BrowserReport): FoundTest[] =>
  suites.flatMap((suite) => journeysIn(choice, suite, config.rootDir, ''));

function journeysIn(choice: Choice, suite: BrowserSuite, folder: string, above: string): FoundTest[] {
  const file = fromRoot(`${folder}/${suite.file}`);
  const path = suite.title === suite.file ? above : `${above} ${suite.title}`;
  const own = suite.specs
    .filter(({ ok, tests }) =>
      tests.some(({ status }) => choice({ status: ok ? status : 'unexpected', tries: 1 })),
    )
    .map(({ title, tests }) => ({
      file,
      title: `${path} ${title}`.trim(),
      error: tests.flatMap(({ results }) => results).find(({ error }) => error)?.error?.message,
    }));
  return [...own, ...(suite.suites ?? []).flatMap((inner) => journeysIn(choice, inner, folder, path))];
}
