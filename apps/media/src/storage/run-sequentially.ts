/** After this many failures in a row the remaining works are skipped, because the store is probably down. */
const mostFailures = 5;

/**
 * Runs all works one after the other, even if one fails.
 * @throws the first failure after the last work
 */
export async function runSequentially(works: readonly (() => Promise<unknown>)[]): Promise<void> {
  const failures: unknown[] = [];
  let inARow = 0;
  for (const work of works) {
    if (inARow === mostFailures) break;
    try {
      await work();
      inARow = 0;
    } catch (error) {
      failures.push(error);
      inARow += 1;
    }
  }
  if (failures.length > 0) throw failures[0];
}
