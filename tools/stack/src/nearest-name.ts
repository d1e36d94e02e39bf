/** The name with the smallest edit distance; undefined for an empty list. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  const edits = new Map(names.map((known) => [known, editDistance(name, known)]));
  return names.toSorted((a, b) => (edits.get(a) ?? 0) - (edits.get(b) ?? 0))[0];
}

/** Levenshtein distance, computed row by row. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...from].entries()) {
    const above = row;
    row = [index + 1];
    for (const [column, other] of [...to].entries())
      row.push(
        Math.min(
          (above[column] ?? 0) + (letter === other ? 0 : 1),
          (above[column + 1] ?? 0) + 1,
          (row[column] ?? 0) + 1,
        ),
      );
  }
  return row.at(-1) ?? 0;
}
