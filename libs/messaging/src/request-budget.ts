import { AsyncLocalStorage } from 'node:async_hooks';
import { Refusal } from './refusal.ts';

/** Moments of this process's own clock that never goes back. */
interface Budget {
  readonly startedAt: number;
  readonly endsAt: number;
}

const current = new AsyncLocalStorage<Budget>();

/** Runs the work for a request that came `elapsedMs` ago and is waited for until `budgetMs` after that, if that is known. */
export function withBudget<T>(elapsedMs: number, work: () => T, budgetMs = Infinity): T {
  const startedAt = performance.now() - elapsedMs;
  return current.run({ startedAt, endsAt: startedAt + budgetMs }, work);
}

/** Milliseconds since the request came that this serves; 0 outside of one. */
export function elapsedMs(): number {
  const budget = current.getStore();
  return budget ? performance.now() - budget.startedAt : 0;
}

/**
 * Milliseconds that are left for a question that may take `timeoutMs` from the start of the request it serves: asking
 * three services in turn takes no longer than asking one.
 *
 * @throws Refusal `timeout` when nothing is left, so that nothing is begun that nobody waits for.
 */
export function remainingMs(timeoutMs: number): number {
  const budget = current.getStore();
  if (!budget) return timeoutMs;
  const left = Math.min(budget.startedAt + timeoutMs, budget.endsAt) - performance.now();
  if (left < 1) throw new Refusal('timeout', 'The request took too long.');
  return Math.floor(left);
}
