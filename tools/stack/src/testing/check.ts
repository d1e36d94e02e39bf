import { CommandFailed, run } from '@stoa/system/processes/run';
import type { Reporter, Task } from '@stoa/system/progress';
import { add, type Tally } from './tally.ts';

/** Something that is either right or not, and says why when it is not. */
export interface Check {
  title: string;
  run: (task: Task) => Promise<unknown>;
}

/** A check that did not pass. Its message is all that is shown of it. */
export class CheckFailed extends Error {}

/** Does checks one after the other; each counts as one. */
export async function runChecks(reporter: Reporter, checks: readonly Check[]): Promise<Tally> {
  const total: Tally = { passed: 0, failed: 0 };
  for (const check of checks) {
    const task = reporter.task(check.title);
    try {
      await check.run(task);
      total.passed += 1;
      task.done('passed');
    } catch (error) {
      add(total, { passed: 0, failed: 1, failures: [check.title] });
      task.fail('failed');
      reporter.line(error instanceof CommandFailed ? error.output : explained(error));
    }
  }
  return total;
}

const explained = (error: unknown) =>
  error instanceof CheckFailed
    ? error.message
    : error instanceof Error
      ? (error.stack ?? error.message)
      : String(error);

/** A check that is a command: what it prints is shown when it fails. */
export function commandCheck(
  title: string,
  program: string,
  args: readonly string[],
  options: { cwd: string; env?: NodeJS.ProcessEnv },
): Check {
  return {
    title,
    run: () =>
      run(process.execPath, [program, ...args], { ...options, env: { ...process.env, ...options.env } }),
  };
}
