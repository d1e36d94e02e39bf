import { type LinkFinding, limits } from '@stoa/contracts';
import type { CheckResult } from '../link-checks/link-check.ts';

export interface LinkState {
  /** Consecutive failed checks, each at least `confirmMs` after the last one that counted. */
  readonly failures: number;
  readonly finding: LinkFinding | null;
  readonly failingSince: Date | null;
  /** When a failed check was last counted. */
  readonly countedAt: Date | null;
  readonly deadSince: Date | null;
}

export interface CheckIntervals {
  readonly intervalMs: number;
  /** The minimum time in milliseconds between two failures that count. */
  readonly confirmMs: number;
}

export const healthy: LinkState = {
  failures: 0,
  finding: null,
  failingSince: null,
  countedAt: null,
  deadSince: null,
};

/**
 * Computes the state of a link after a check, and the time of the next check. `limits.deadLinkLooks` failures
 * make a link dead; a working check resets the state, and an `unknown` result changes nothing.
 */
export function evaluate(
  state: LinkState,
  result: CheckResult,
  now: Date,
  { intervalMs, confirmMs }: CheckIntervals,
): { state: LinkState; nextLookAt: Date } {
  const after = (ms: number, from = now) => new Date(from.getTime() + ms);
  if (result.kind === 'works') return { state: healthy, nextLookAt: after(intervalMs) };
  if (result.kind === 'unknown') return { state, nextLookAt: after(intervalMs) };
  const { countedAt } = state;
  const isEarly = countedAt !== null && now.getTime() - countedAt.getTime() < confirmMs;
  const failures = state.failures + (isEarly ? 0 : 1);
  const deadSince = state.deadSince ?? (failures >= limits.deadLinkLooks ? now : null);
  const counted = isEarly ? countedAt : now;
  return {
    state: {
      failures,
      deadSince,
      finding: result.finding,
      failingSince: state.failingSince ?? now,
      countedAt: counted,
    },
    nextLookAt: deadSince ? after(intervalMs) : after(confirmMs, counted),
  };
}
