import { stripVTControlCharacters } from 'node:util';
import { nx } from '@stoa/system/apps/build';
import { chosenParts } from '@stoa/system/parts/chosen-parts';
import { CommandFailed } from '@stoa/system/processes/run';
import type { Reporter } from '@stoa/system/progress';
import { forgetRun, lastRun } from './nx-run.ts';
import { countsOf } from './reports.ts';
import { add, tally, type Tally } from './tally.ts';

/** Nx prints this line with a task's name when the task has ended. */
const endsTask = /^\s*[>✔✖]\s+nx run \S+:\S+/;
const everyTasks = 10;

/** Runs Nx targets, prints the output of failed ones, and counts results. */
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
    // A part of Nx's cache key: a test that passed on processes has not passed on containers.
    const { kind } = await chosenParts();
    await nx([...args, '--outputStyle=static'], { env: { STOA_PARTS: kind, ...env }, onLine });
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
  // Counts a failure if Nx fails before it runs any task.
  if (counts.failed === 0) add(counts, { passed: 0, failed: 1, failures: [title] });
  task.fail(summary);
  for (const section of failedSections(output)) reporter.line(section);
  return counts;
}

/** The output of failed tasks: Nx marks them with a cross or names them at the end. */
function failedSections(output: string): string[] {
  const text = stripVTControlCharacters(output);
  const failed = [...text.matchAll(/^\s*(?:- |✖\s+nx run )(\S+:\S+)/gm)].map(([, task]) => task ?? '');
  const sections = text.split(/^(?=\s*(?:[>✔✖]\s+)?nx run \S+:\S+)/m);
  const shown = sections.filter((section) => failed.some((task) => section.includes(`nx run ${task}`)));
  return shown.length > 0 ? shown : [text];
}
