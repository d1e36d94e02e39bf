import { AsyncLocalStorage } from 'node:async_hooks';
import { Refusal } from './refusal.ts';

/** Moments of this process's own clock that never goes back. */
interface Budget {
  readonly startedAt: number;
  readonly endsAt: number;
  /** What goes on after the answer nobody waits for. */
  isAnswered: boolean;
}

const current = new AsyncLocalStorage<Budget>();

/** Runs the work for a request that came `elapsedMs` ago and is waited for until `budgetMs` after that, if that is known. */
export function withBudget<T>(elapsedMs: number, work: () => T, budgetMs = Infinity): T {
  const startedAt = performance.now() - elapsedMs;
  const budget: Budget = { startedAt, endsAt: startedAt + budgetMs, isAnswered: false };
  const answered = () => void (budget.isAnswered = true);
  const result = current.run(budget, work);
  if (result instanceof Promise) result.then(answered, answered);
  return result;
}

/** Runs work that a request begins but that is not for it alone, or takes longer than anybody waits. */
export function withoutBudget<T>(work: () => T): T {
  return current.exit(work);
}

/** Milliseconds since the request came that this serves; 0 outside of one. */
export function elapsedMs(): number {
  const budget = current.getStore();
  return budget ? performance.now() - budget.startedAt : 0;
}

/** Milliseconds for which somebody waits for the answer that this is done for: 0 when it is late, endless outside of a request and after its answer. */
export function leftMs(): number {
  const budget = current.getStore();
  return budget && !budget.isAnswered ? Math.max(0, budget.endsAt - performance.now()) : Infinity;
}

/**
 * Milliseconds for a call to another system, which has `mostMs` unless less is left of the request that it serves.
 *
 * @throws Refusal `timeout` when nothing is left, so that nothing is begun that nobody waits for.
 */
export function callMs(mostMs: number): number {
  return atLeastOne(Math.min(mostMs, leftMs()));
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
  return atLeastOne(Math.min(budget.startedAt + timeoutMs, budget.endsAt) - performance.now());
}

function atLeastOne(ms: number): number {
  if (ms < 1) throw new Refusal('timeout', 'The request took too long.');
  return Math.floor(ms);
}
