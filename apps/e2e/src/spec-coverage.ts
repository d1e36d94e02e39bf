import { chapters, lines } from './spec-lines.ts';

/**
 * A row of the coverage table: a line of the specification, the state that its test creates, and the location of the test.
 */
export interface Row {
  line: string;
  state: string;
  file: string;
}

/** Errors of the table: lines without a row, or with several. */
export function coverageErrors(rows: readonly Row[]): string[] {
  const count = (line: string) => rows.filter((row) => row.line === line).length;
  return Object.keys(lines).flatMap((line) => {
    if (count(line) === 0) return [`The line ${line} has no row.`];
    return count(line) > 1 ? [`The line ${line} has ${count(line)} rows.`] : [];
  });
}

export function coverageDocument(rows: readonly Row[]): string {
  const byLine = new Map(rows.map((row) => [row.line, row]));
  const covered = Object.keys(lines).filter((line) => byLine.has(line)).length;
  const total = Object.keys(lines).length;
  return [
    '# Spec coverage',
    '',
    'Every line of the spec, in its own words, and the browser test that brings its state about on the running system.',
    'Written by `npm run stoa generate spec-coverage` from `apps/e2e/spec`; the tests fail when it is stale.',
    '',
    `${covered} of ${total} lines have their row.`,
    ...chapters.flatMap(([title, words]) => ['', `## ${title}`, '', ...tableOf(words, byLine)]),
    '',
  ].join('\n');
}

function tableOf(words: Record<string, string>, byLine: ReadonlyMap<string, Row>): string[] {
  const rows = Object.entries(words).map(([line, says]) => {
    const row = byLine.get(line);
    return [line, says, row?.state ?? '', row ? `\`${row.file}\`` : 'none'].map(cell);
  });
  return [
    '| row | the spec says | how it comes about | test |',
    '| --- | --- | --- | --- |',
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
  ];
}

// Escapes characters that Markdown would interpret.
const cell = (text: string) => (text.startsWith('`') ? text : text.replace(/[|*_<]/g, '\\$&'));
