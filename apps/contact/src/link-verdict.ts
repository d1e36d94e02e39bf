import { type LinkFinding, limits } from '@stoa/contracts';
import type { Look } from './link-look.ts';

/** What is remembered of a link from look to look. */
export interface LinkState {
  /** Looks in a row that failed, each a while after the one before. */
  readonly failures: number;
  readonly finding: LinkFinding | null;
  readonly failingSince: Date | null;
  /** When the last of them was counted. */
  readonly countedAt: Date | null;
  readonly deadSince: Date | null;
}

export interface LookTimes {
  readonly intervalMs: number;
  /** Between two looks that count against a link. */
  readonly confirmMs: number;
}

export const untouched: LinkState = {
  failures: 0,
  finding: null,
  failingSince: null,
  countedAt: null,
  deadSince: null,
};

/**
 * What is thought of a link after one more look, and when the next one is due. A link is dead after several looks that
 * failed in a row, however often its owner asks in between; one that works is not, at once; what a look cannot tell changes nothing.
 */
export function judge(
  state: LinkState,
  look: Look,
  now: Date,
  { intervalMs, confirmMs }: LookTimes,
): { state: LinkState; nextLookAt: Date } {
  const after = (ms: number, from = now) => new Date(from.getTime() + ms);
  if (look.kind === 'works') return { state: untouched, nextLookAt: after(intervalMs) };
  if (look.kind === 'unknown') return { state, nextLookAt: after(intervalMs) };
  const { countedAt } = state;
  const isEarly = countedAt !== null && now.getTime() - countedAt.getTime() < confirmMs;
  const failures = state.failures + (isEarly ? 0 : 1);
  const deadSince = state.deadSince ?? (failures >= limits.deadLinkLooks ? now : null);
  const counted = isEarly ? countedAt : now;
  return {
    state: {
      failures,
      deadSince,
      finding: look.finding,
      failingSince: state.failingSince ?? now,
      countedAt: counted,
    },
    nextLookAt: deadSince ? after(intervalMs) : after(confirmMs, counted),
  };
}
