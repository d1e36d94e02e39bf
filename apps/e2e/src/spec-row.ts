import type { TestDetails } from '@playwright/test';
import { type LineId, lines } from './spec-lines.ts';

/** The mark on a test by which the table finds a line that it shows. */
export const lineAnnotation = 'spec line';
/** The mark that says how the test brings the line's state about; it stands after the line's own. */
export const stateAnnotation = 'state';

/** What makes a browser test the row of one line: `test(...row('2.home.empty', 'a search …'), async …)`. */
export const row = (line: LineId, state: string): [title: string, details: TestDetails] =>
  rows({ [line]: state });

/** The same for a test whose one act shows several lines, each with its own state. */
export function rows(states: Partial<Record<LineId, string>>): [title: string, details: TestDetails] {
  const shown = Object.entries(states) as [LineId, string][];
  const annotation = shown.flatMap(([line, state]) => [
    { type: lineAnnotation, description: line },
    { type: stateAnnotation, description: state },
  ]);
  return [shown.map(([line]) => `${line} ${lines[line]}`).join('; '), { annotation }];
}
