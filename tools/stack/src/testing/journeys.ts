import { inRepository } from '@stoa/system/paths';
import { CommandFailed, run } from '@stoa/system/processes/run';
import type { Reporter } from '@stoa/system/progress';
import { mkdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { countsOf } from './reports.ts';
import { add, type Tally } from './tally.ts';

/**
 * The projects of apps/e2e, as they may run side by side; each run after the one before it, whether or not that failed.
 * Those after the first take the system apart, and the last also reads what every test before it made the apps log.
 */
const runs: readonly (readonly [title: string, ...projects: string[]])[] = [
  ['Journeys', 'api', 'journeys', 'looks', 'spec'],
  ['Outages', 'spec-outages'],
  ['Faults', 'faults'],
  ['Telemetry', 'telemetry'],
];

/**
 * Runs the browser journeys and drills on the system that `env` describes. What failing tests leave is in a folder for
 * each run below `output`.
 */
export async function runJourneys(
  reporter: Reporter,
  env: NodeJS.ProcessEnv,
  output: string,
): Promise<Tally> {
  rmSync(output, { recursive: true, force: true });
  const total: Tally = { passed: 0, failed: 0 };
  for (const [title, ...projects] of runs)
    add(total, await runProjects(reporter, env, output, title, projects));
  if (total.failed > 0)
    reporter.line(`Traces and pictures of what failed: ${relative(process.cwd(), output) || output}`);
  return total;
}

const everyTests = 20;

async function runProjects(
  reporter: Reporter,
  env: NodeJS.ProcessEnv,
  output: string,
  title: string,
  projects: readonly string[],
): Promise<Tally> {
  const task = reporter.task(title, 'running');
  const name = title.toLowerCase();
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
  mkdirSync(folder, { recursive: true });
  let failed = false;
  try {
    const playwright = inRepository('node_modules/.bin/playwright');
    const chosen = projects.map((project) => `--project=${project}`);
    const files = { STOA_E2E_OUTPUT: folder, STOA_E2E_REPORT: `.reports/e2e-${name}.json` };
    await run(process.execPath, [playwright, 'test', '--no-deps', ...chosen], {
      cwd: inRepository('apps/e2e'),
      env: { ...process.env, FORCE_COLOR: '0', ...env, ...files },
      onLine,
    });
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    failed = true;
  }
  // Without a report it has died before its end.
  const counts = { passed: 0, failed: 0, ...countsOf('@stoa/e2e', `e2e-${name}`) };
  if (failed && counts.failed === 0) counts.failed = 1;
  const summary = `${counts.passed} passed, ${counts.failed} failed`;
  if (failed) {
    task.fail(summary);
    reporter.line(lines.filter((line) => !/^\s*✓/.test(line)).join('\n'));
  } else task.done(summary);
  return counts;
}
