import type { TestDetails } from '@playwright/test';
import { type LineId, lines } from './spec-lines.ts';

/** The mark on a test by which the table finds the line that it shows. */
export const lineMark = 'spec line';
/** The mark that says how the test brings the line's state about. */
export const stateMark = 'state';

/** What makes a browser test the row of one line: `test(...row('2.home.empty', 'a search …'), async …)`. */
export function row(line: LineId, state: string): [title: string, details: TestDetails] {
  const annotation = [
    { type: lineMark, description: line },
    { type: stateMark, description: state },
  ];
  return [`${line} ${lines[line]}`, { annotation }];
}
