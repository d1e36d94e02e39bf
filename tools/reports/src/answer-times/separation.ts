/**
 * The share of correct guesses with the best single time threshold between two kinds of answers: 0.5 is
 * chance, 1 is certainty.
 */
export function separation(ones: readonly number[], others: readonly number[]): number {
  const shareBelow = (times: readonly number[], limit: number) =>
    times.filter((time) => time <= limit).length / times.length;
  const gaps = [...ones, ...others].map((limit) =>
    Math.abs(shareBelow(ones, limit) - shareBelow(others, limit)),
  );
  return 0.5 + Math.max(...gaps) / 2;
}

export const median = (times: readonly number[]): number =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;
