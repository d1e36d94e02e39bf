import type { Run } from './nx-run.ts';
import type { Counts } from './reports.ts';

export interface Tally {
  passed: number;
  failed: number;
  skipped?: number;
  /** Failed checks, and failed tasks as `project:target`. Reports contain the failed tests. */
  failures?: string[];
}

/**
 * Counts the results of an Nx run: a test task by its report, any other task (lint, typecheck, build) as one.
 * A task from Nx's cache has its report restored.
 */
export function tally(
  { tasks }: Run,
  reportOf: (project: string, target: string) => Counts | undefined,
): Tally {
  const total: Tally = { passed: 0, failed: 0 };
  for (const { projectName, target, status } of tasks) {
    const tests = reportOf(projectName, target);
    // Counts a failed task without a failed test, for instance if its parts do not start.
    const failed = status === 0 ? 0 : 1;
    const failures = failed ? [`${projectName}:${target}`] : [];
    add(
      total,
      tests
        ? { ...tests, failed: Math.max(tests.failed, failed), failures }
        : { passed: 1 - failed, failed, failures },
    );
  }
  return total;
}

/** Adds a part to a total. */
export function add(total: Tally, { passed, failed, skipped, failures }: Tally): void {
  total.passed += passed;
  total.failed += failed;
  if (skipped) total.skipped = (total.skipped ?? 0) + skipped;
  if (failures?.length) total.failures = [...(total.failures ?? []), ...failures];
}
