import type { TestDetails } from '@playwright/test';
import { type LineId, lines } from './spec-lines.ts';

/** The type of the annotation that names the specification line of a test. */
export const lineAnnotation = 'spec line';
/** The type of the annotation that describes the state. It follows the annotation of its line. */
export const stateAnnotation = 'state';

/** Title and details of a test for one line of the specification: `test(...row('2.home.empty', 'a search …'), async …)`. */
export const row = (line: LineId, state: string): [title: string, details: TestDetails] =>
  rows({ [line]: state });

/** Title and details of a test for several lines, each with its own state. */
export function rows(states: Partial<Record<LineId, string>>): [title: string, details: TestDetails] {
  const shown = Object.entries(states) as [LineId, string][];
  const annotation = shown.flatMap(([line, state]) => [
    { type: lineAnnotation, description: line },
    { type: stateAnnotation, description: state },
  ]);
  return [shown.map(([line]) => `${line} ${lines[line]}`).join('; '), { annotation }];
}
