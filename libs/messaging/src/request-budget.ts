import { AsyncLocalStorage } from 'node:async_hooks';
import { Refusal } from './refusal.ts';

/** Start and end are times of `performance.now()`. */
interface Budget {
  readonly startedAt: number;
  readonly endsAt: number;
  /** Whether the request is answered. Work that continues after the answer has no deadline. */
  isAnswered: boolean;
}

const current = new AsyncLocalStorage<Budget>();

/** Runs the work of a request that arrived `elapsedMs` ago and has `budgetMs` from its arrival, if that is known. */
export function withBudget<T>(elapsedMs: number, work: () => T, budgetMs = Infinity): T {
  const startedAt = performance.now() - elapsedMs;
  const budget: Budget = { startedAt, endsAt: startedAt + budgetMs, isAnswered: false };
  const answered = () => void (budget.isAnswered = true);
  const result = current.run(budget, work);
  if (result instanceof Promise) result.then(answered, answered);
  return result;
}

/** Runs work that a request starts but that serves others as well, or outlasts the request. */
export function withoutBudget<T>(work: () => T): T {
  return current.exit(work);
}

/** Milliseconds since the arrival of the request in progress; 0 outside of one. */
export function elapsedMs(): number {
  const budget = current.getStore();
  return budget ? performance.now() - budget.startedAt : 0;
}

/**
 * Milliseconds until the deadline of the request in progress: 0 when it is late, `Infinity` outside of a request and
 * after its answer.
 */
export function leftMs(): number {
  const budget = current.getStore();
  return budget && !budget.isAnswered ? Math.max(0, budget.endsAt - performance.now()) : Infinity;
}

/**
 * Milliseconds for a call to another system: `mostMs`, or the rest of the request's time if that is less.
 *
 * @throws Refusal `timeout` when no time is left, so that no unwanted work begins.
 */
export function callMs(mostMs: number): number {
  return atLeastOne(Math.min(mostMs, leftMs()));
}

/**
 * Milliseconds for a call that may take `timeoutMs` from the start of the request in progress: three calls in turn
 * take no longer than one.
 *
 * @throws Refusal `timeout` when no time is left, so that no unwanted work begins.
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
