import { stripVTControlCharacters } from 'node:util';

export interface Tally {
  passed: number;
  failed: number;
  skipped?: number;
}

/**
 * Counts what a run of Nx has done from what it printed, because a task from its cache does nothing but print.
 * A task that runs tests counts by its tests; any other one (a lint, a typecheck, a build) counts as one.
 */
export function tally(output: string): Tally {
  const text = stripVTControlCharacters(output);
  const failedTasks = new Set(
    [...text.matchAll(/^\s*(?:- |✖\s+nx run )(\S+:\S+)/gm)].map(([, task]) => task),
  );
  const sections = text.split(/^\s*(?:[>✔✖]\s+)?nx run (?=\S+:\S+)/m).slice(1);
  const total: Tally = { passed: 0, failed: 0 };
  for (const section of sections) {
    const task = /^\S+/.exec(section)?.[0] ?? '';
    const tests = count(section);
    const failed = failedTasks.has(task);
    if (tests) total.passed += tests.passed;
    else if (!failed) total.passed += 1;
    // A run of tests may fail without a failed test: when a file cannot be loaded, for example.
    total.failed += Math.max(tests?.failed ?? 0, failed ? 1 : 0);
    if (tests?.skipped) total.skipped = (total.skipped ?? 0) + tests.skipped;
  }
  return total;
}

/** What a task's tests have come to; undefined when it runs none. */
function count(section: string): Tally | undefined {
  if (section.includes('No test files found')) return { passed: 0, failed: 0 };
  return summaries(section).length > 0 ? countTests(section) : undefined;
}

/** Adds up what Vitest and Playwright say of their tests. */
export function countTests(output: string): Tally {
  const own: Tally = { passed: 0, failed: 0 };
  for (const line of summaries(output)) {
    for (const [, number, what] of line.matchAll(/(\d+) (passed|failed|flaky|skipped|did not run)/g)) {
      if (what === 'skipped' || what === 'did not run') own.skipped = (own.skipped ?? 0) + Number(number);
      else own[what === 'failed' ? 'failed' : 'passed'] += Number(number);
    }
  }
  return own;
}

// Vitest says "Tests  1 failed | 8 passed (9)", Playwright "8 passed (12s)" and "1 failed" on lines of their own.
const summaries = (text: string) =>
  text.match(/^\s*Tests\s.*\(\d+\)\s*$|^\s*\d+ (?:passed|failed|flaky|skipped|did not run)\b.*$/gm) ?? [];

/** Adds a part to a total. */
export function add(total: Tally, { passed, failed, skipped }: Tally): void {
  total.passed += passed;
  total.failed += failed;
  if (skipped) total.skipped = (total.skipped ?? 0) + skipped;
}
