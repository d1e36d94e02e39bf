import { stripVTControlCharacters } from 'node:util';
import { inRepository } from '@stoa/system/paths';
import { CommandFailed, run } from '@stoa/system/processes/run';
import type { Reporter } from '@stoa/system/progress';
import { countsOf } from './reports.ts';
import type { Tally } from './tally.ts';

const everyTests = 20;

/** Runs the browser journeys and drills on the system that `env` describes. */
export async function runJourneys(reporter: Reporter, env: NodeJS.ProcessEnv): Promise<Tally> {
  const task = reporter.task('Journeys', 'running');
  const lines: string[] = [];
  let ended = 0;
  const onLine = (raw: string) => {
    const line = stripVTControlCharacters(raw);
    lines.push(line);
    if (/^\s*✘/.test(line)) reporter.line(`Journeys: ${line.trim()}`);
    if (!/^\s*[✓✘-]\s+\d+ \[/.test(line)) return;
    ended += 1;
    if (ended % everyTests === 0) task.update(`${ended} done`);
  };
  let failed = false;
  try {
    await run(process.execPath, [inRepository('node_modules/.bin/playwright'), 'test'], {
      cwd: inRepository('apps/e2e'),
      env: { ...process.env, FORCE_COLOR: '0', ...env },
      onLine,
    });
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    failed = true;
  }
  // Without a report it has died before its end.
  const counts = { passed: 0, failed: 0, ...countsOf('@stoa/e2e', 'e2e') };
  if (failed && counts.failed === 0) counts.failed = 1;
  const summary = `${counts.passed} passed, ${counts.failed} failed`;
  if (failed) {
    task.fail(summary);
    reporter.line(lines.filter((line) => !/^\s*✓/.test(line)).join('\n'));
  } else task.done(summary);
  return counts;
}
