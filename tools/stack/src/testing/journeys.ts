import { inRepository } from '@stoa/system/paths';
import { CommandFailed, run } from '@stoa/system/processes/run';
import type { Reporter } from '@stoa/system/progress';
import { mkdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { countsOf } from './reports.ts';
import { reasonForNoSmallDisks } from '../commands/small-disks.ts';
import { smallDisks } from '../commands/with-system.ts';
import { add, type Tally } from './tally.ts';

export type Run = readonly [title: string, ...projects: string[]];

/** Playwright projects that run concurrently, then those in Firefox and WebKit. */
export const journeys: readonly Run[] = [
  ['Journeys', 'api', 'journeys', 'looks', 'spec'],
  ['Engines', 'firefox', 'webkit'],
];

/**
 * The tests that stop parts of the system, one after the other. The last one also checks the log lines that
 * all earlier tests caused.
 */
export const drills: readonly Run[] = [
  ['Outages', 'spec-outages'],
  ['Faults', 'faults'],
  ['Telemetry', 'telemetry'],
];

/** The Playwright project that runs on a separate system with small disks. */
export const fullDisks: Run = ['Full disks', 'full-disks'];

/**
 * Runs the full-disk tests on a system of their own. Reports why they are skipped if small disks are not
 * possible.
 */
export async function runOnSmallDisks(
  reporter: Reporter,
  env: NodeJS.ProcessEnv,
  output: string,
): Promise<Tally> {
  const missing = await reasonForNoSmallDisks();
  if (missing) {
    reporter.task(fullDisks[0]).done(`skipped: ${missing}`);
    return { passed: 0, failed: 0, skipped: 1 };
  }
  const own = [inRepository('tools/stack/bin/stoa.mjs'), 'with-system', smallDisks, process.execPath];
  return runBrowserTests(reporter, env, output, [fullDisks], own);
}

/**
 * Runs these projects in order on the system that `env` describes; a failure does not stop the next run.
 * `output` gets a folder per run with the traces of failing tests. `wrapper` is a program that executes each
 * run; `options` are Playwright's.
 */
export async function runBrowserTests(
  reporter: Reporter,
  env: NodeJS.ProcessEnv,
  output: string,
  runs: readonly Run[],
  wrapper: readonly string[] = [],
  options: readonly string[] = [],
): Promise<Tally> {
  const total: Tally = { passed: 0, failed: 0 };
  for (const [title, ...projects] of runs)
    add(
      total,
      await runProjects(reporter, env, output, title, [...projects.map(projectOption), ...options], wrapper),
    );
  if (total.failed > 0)
    reporter.line(`Traces and pictures of what failed: ${relative(process.cwd(), output) || output}`);
  return total;
}

const projectOption = (project: string) => `--project=${project}`;

const everyTests = 20;

async function runProjects(
  reporter: Reporter,
  env: NodeJS.ProcessEnv,
  output: string,
  title: string,
  options: readonly string[],
  wrapper: readonly string[],
): Promise<Tally> {
  const task = reporter.task(title, 'running');
  const name = title.toLowerCase().replace(' ', '-');
  const lines: string[] = [];
  let ended = 0;
  const onLine = (raw: string) => {
    const line = stripVTControlCharacters(raw);
    lines.push(line);
    if (/^\s*✘/.test(line)) reporter.line(`${title}: ${line.trim()}`);
    if (!/^\s*[✓✘-]\s+\d+ \[/.test(line)) return;
    ended += 1;
    if (ended % everyTests === 0) task.update(`${ended} done`);
  };
  const folder = join(output, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  let failed = false;
  try {
    const playwright = inRepository('node_modules/.bin/playwright');
    const files = { STOA_E2E_OUTPUT: folder, STOA_E2E_REPORT: `.reports/e2e-${name}.json` };
    await run(process.execPath, [...wrapper, playwright, 'test', '--no-deps', ...options], {
      cwd: inRepository('apps/e2e'),
      env: { ...process.env, FORCE_COLOR: '0', ...env, ...files },
      onLine,
    });
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    failed = true;
  }
  // Counts a run without a report as failed, because it ended early.
  const counts: Tally = { passed: 0, failed: 0, ...countsOf('@stoa/e2e', `e2e-${name}`) };
  if (failed) add(counts, { passed: 0, failed: counts.failed === 0 ? 1 : 0, failures: [title] });
  const skipped = counts.skipped ? `, ${counts.skipped} skipped` : '';
  const summary = `${counts.passed} passed, ${counts.failed} failed${skipped}`;
  if (failed) {
    task.fail(summary);
    reporter.line(lines.filter((line) => !/^\s*✓/.test(line)).join('\n'));
  } else task.done(summary);
  return counts;
}
