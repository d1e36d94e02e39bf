import { CommandFailed, run } from '@stoa/system/processes/run';
import type { Reporter, Task } from '@stoa/system/progress';
import { add, type Tally } from './tally.ts';

/** A check of the repository or of a running system. It throws `CheckFailed` with the reason of a failure. */
export interface Check {
  title: string;
  run: (task: Task) => Promise<unknown>;
}

/** A failed check. Only its message is printed. */
export class CheckFailed extends Error {}

/** Runs checks one after the other; each counts as one test. */
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

/** A check that runs a command and prints its output if it fails. */
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
