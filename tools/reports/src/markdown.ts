/** A table in Prettier's format. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lengths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0), 3),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(lengths[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(lengths.map((length) => '-'.repeat(length))), ...rows.map(line)].join('\n');
}
