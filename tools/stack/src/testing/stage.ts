import { stripVTControlCharacters } from 'node:util';
import { nx } from '@stoa/system/apps/build';
import { CommandFailed } from '@stoa/system/processes/run';
import type { Reporter } from '@stoa/system/progress';
import { forgetRun, lastRun } from './nx-run.ts';
import { countsOf } from './reports.ts';
import { add, tally, type Tally } from './tally.ts';

/** Nx prints a task under its name once it has ended. */
const endsTask = /^\s*[>✔✖]\s+nx run \S+:\S+/;
const everyTasks = 10;

/** Runs Nx targets, shows the output of those that fail, and counts. */
export async function runStage(
  reporter: Reporter,
  title: string,
  args: string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Tally> {
  const task = reporter.task(title, 'running');
  const lines: string[] = [];
  let failure: CommandFailed | undefined;
  let ended = 0;
  const onLine = (line: string) => {
    lines.push(line);
    if (!endsTask.test(stripVTControlCharacters(line))) return;
    ended += 1;
    if (ended % everyTasks === 0) task.update(`${ended} tasks done`);
  };
  forgetRun();
  try {
    await nx([...args, '--outputStyle=static'], { env, onLine });
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    failure = error;
  }
  const output = lines.join('\n');
  const counts = tally(lastRun(), countsOf);
  const summary = `${counts.passed} passed, ${counts.failed} failed`;
  if (!failure) {
    task.done(summary);
    return counts;
  }
  // Nx that fails before any task has run counts too.
  if (counts.failed === 0) add(counts, { passed: 0, failed: 1, failures: [title] });
  task.fail(summary);
  for (const section of failedSections(output)) reporter.line(section);
  return counts;
}

/** Nx prints a task that failed under a cross, or names it at the end; the rest is noise here. */
function failedSections(output: string): string[] {
  const text = stripVTControlCharacters(output);
  const failed = [...text.matchAll(/^\s*(?:- |✖\s+nx run )(\S+:\S+)/gm)].map(([, task]) => task ?? '');
  const sections = text.split(/^(?=\s*(?:[>✔✖]\s+)?nx run \S+:\S+)/m);
  const shown = sections.filter((section) => failed.some((task) => section.includes(`nx run ${task}`)));
  return shown.length > 0 ? shown : [text];
}
