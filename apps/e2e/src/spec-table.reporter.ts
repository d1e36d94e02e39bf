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

/** Prints the spec's table after a run; with STOA_SPEC_COVERAGE it writes the coverage document, also on `--list`. */
export default class SpecTable implements Reporter {
  #outcomes = new Map<string, TestResult['status']>();
  #leftOut: string[] = [];

  onBegin({ rootDir }: FullConfig, suite: Suite): void {
    const file = process.env.STOA_SPEC_COVERAGE;
    if (!file) return;
    const rows = suite.allTests().flatMap((test) => rowsOf(test, rootDir));
    // Files that cannot be loaded are told of in onError, and fail the run by themselves.
    if (rows.length === 0) return;
    const complaints = coverageErrors(rows);
    if (complaints.length > 0) {
      // Playwright keeps the message of what a reporter throws to itself.
      console.error(complaints.join('\n'));
      throw new Error('The table of the spec is not right.');
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

  /** A row that its author left out must not pass for one that is as the spec says. */
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
 * Whether a row was left out by what is written in it (skip, fixme, fail). One that did not run because the run ended
 * before it, or because what it needs failed, bears no such mark: then the run has failed already.
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
