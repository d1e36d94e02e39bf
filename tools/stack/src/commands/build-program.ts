import { installEngines } from '@stoa/system/fetch/browser-engines';
import { buildCollector } from '@stoa/system/fetch/collector';
import { installWrk } from '@stoa/system/fetch/load-generator';
import { Problem } from '@stoa/system/problem';
import { createReporter, type Task } from '@stoa/system/progress';
import { script } from './script.ts';

/** Programs of optional checks. `npm test` skips a check without its program and reports that. */
export const programs: Record<string, () => Promise<number>> = {
  promtool: () => script('@stoa/slo', 'build:promtool'),
  kubernetes: () => script('@stoa/kubernetes', 'programs'),
  collector: () => inTask('Collector', async (task) => console.log(await buildCollector(task))),
  engines: () => inTask('Engines', installEngines),
  wrk: () => inTask('wrk', installWrk),
};

/**
 * Builds one of the programs into the user's cache. Browser engines and wrk are installed as packages of the
 * operating system.
 */
export async function buildProgram([name = '']: string[]): Promise<number> {
  const build = programs[name];
  if (!build) throw new Problem(`Name the program to build: ${Object.keys(programs).join(', ')}.`);
  return build();
}

async function inTask(title: string, work: (task: Task) => Promise<void>): Promise<number> {
  const task = createReporter().task(title, 'preparing');
  try {
    await work(task);
    task.done();
    return 0;
  } catch (error) {
    task.fail('failed');
    throw error;
  }
}
