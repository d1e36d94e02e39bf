/**
 * How often somebody is right who tells two kinds of answers apart by one threshold of time, the best there is: 0.5 is
 * guessing, 1 is knowing.
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
