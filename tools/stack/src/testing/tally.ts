import { stripVTControlCharacters } from 'node:util';

export interface Tally {
  passed: number;
  failed: number;
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
  }
  return total;
}

/** What a task's tests have come to; undefined when it runs none. */
function count(section: string): Tally | undefined {
  if (section.includes('No test files found')) return { passed: 0, failed: 0 };
  const own: Tally = { passed: 0, failed: 0 };
  // Vitest says "Tests  1 failed | 8 passed (9)", Playwright "8 passed (12s)" and "1 failed" on lines of their own.
  const lines = section.match(/^\s*Tests\s.*\(\d+\)\s*$|^\s*\d+ (?:passed|failed|flaky)\b.*$/gm) ?? [];
  for (const line of lines) {
    for (const [, number, what] of line.matchAll(/(\d+) (passed|failed|flaky)/g)) {
      own[what === 'failed' ? 'failed' : 'passed'] += Number(number);
    }
  }
  return lines.length > 0 ? own : undefined;
}
