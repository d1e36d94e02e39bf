import type {
  FullConfig,
  FullResult,
  Reporter,
  Suite,
  TestCase,
  TestError,
  TestResult,
} from '@playwright/test/reporter';
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { coverageErrors, coverageDocument, type Row } from './spec-coverage.ts';
import { chapters, type LineId, lines } from './spec-lines.ts';
import { lineAnnotation, stateAnnotation } from './spec-row.ts';

/**
 * Prints which lines of the specification passed. With STOA_SPEC_COVERAGE it writes the coverage document, even with
 * `--list`.
 */
export default class SpecTable implements Reporter {
  #outcomes = new Map<string, TestResult['status']>();
  #leftOut: string[] = [];

  onBegin({ rootDir }: FullConfig, suite: Suite): void {
    const file = process.env.STOA_SPEC_COVERAGE;
    if (!file) return;
    const rows = suite.allTests().flatMap((test) => rowsOf(test, rootDir));
    // Without rows, Playwright could not load the test files. It reports that itself.
    if (rows.length === 0) return;
    const complaints = coverageErrors(rows);
    if (complaints.length > 0) {
      // Prints the errors, because Playwright does not print what a reporter throws.
      console.error(complaints.join('\n'));
      throw new Error('The table of the specification is wrong.');
    }
    writeFileSync(file, coverageDocument(rows));
  }

  onError({ message }: TestError): void {
    if (process.env.STOA_SPEC_COVERAGE) console.error(message);
  }

  onTestEnd(test: TestCase, { status }: TestResult): void {
    for (const line of marksOf(test, lineAnnotation)) {
      this.#outcomes.set(line, status);
      if (isLeftOut(test)) this.#leftOut.push(line);
    }
  }

  /** Makes the run fail if a test of a line is skipped or expected to fail. */
  async onEnd(): Promise<{ status: FullResult['status'] } | undefined> {
    this.#print();
    if (this.#leftOut.length === 0) return undefined;
    console.error(`  Rows that are skipped or expected to fail: ${this.#leftOut.join(', ')}\n`);
    return { status: 'failed' };
  }

  #print(): void {
    if (this.#outcomes.size === 0) return;
    for (const [title, words] of chapters) {
      const run = (Object.keys(words) as LineId[]).filter((line) => this.#outcomes.has(line));
      if (run.length > 0) console.log(`\n  ${title}`);
      for (const line of run) {
        const shown = this.#outcomes.get(line) === 'passed' ? '✓' : '✘';
        console.log(`  ${shown} ${line.padEnd(30)} ${lines[line]}`);
      }
    }
    const shown = [...this.#outcomes.values()].filter((status) => status === 'passed').length;
    console.log(`\n  Spec: ${shown} of ${this.#outcomes.size} rows that ran are as it says.\n`);
  }

  printsToStdio(): boolean {
    return true;
  }
}

/**
 * Whether the test itself is marked as skip, fixme or fail. A test that did not run after an earlier failure has no mark;
 * then the run has failed anyway.
 */
function isLeftOut({ annotations }: TestCase): boolean {
  return annotations.some(({ type }) => ['skip', 'fixme', 'fail'].includes(type));
}

const marksOf = ({ annotations }: TestCase, mark: string): string[] =>
  annotations.filter(({ type }) => type === mark).map(({ description = '' }) => description);

function rowsOf(test: TestCase, rootDir: string): Row[] {
  const states = marksOf(test, stateAnnotation);
  const file = relative(rootDir, test.location.file);
  return marksOf(test, lineAnnotation).map((line, index) => ({ line, state: states[index] ?? '', file }));
}
