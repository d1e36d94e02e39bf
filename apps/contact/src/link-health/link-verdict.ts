import { type LinkFinding, limits } from '@stoa/contracts';
import type { CheckResult } from '../link-checks/link-check.ts';

/** The stored state of a link between checks. */
export interface LinkState {
  /** Consecutive failed checks that were at least `confirmMs` apart. */
  readonly failures: number;
  readonly finding: LinkFinding | null;
  readonly failingSince: Date | null;
  /** When the last failure was counted. */
  readonly countedAt: Date | null;
  readonly deadSince: Date | null;
}

export interface CheckIntervals {
  readonly intervalMs: number;
  /** The minimum time between two failures that count. */
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
 * The state of a link after one more check, and the time of the next check. A link is dead after several
 * consecutive failures. Checks that the owner requests in between do not count. One working check restores
 * the link; an inconclusive one changes nothing.
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
