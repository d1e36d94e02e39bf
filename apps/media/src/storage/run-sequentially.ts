/** After this many consecutive failures the dependency is considered down. */
const mostFailures = 5;

/**
 * Runs all works one after the other, also after a failed one.
 *
 * @throws the first failure, once the others are done or too many fail consecutively
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
