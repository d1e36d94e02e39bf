import { apps } from '@stoa/system';
import { longestWaitMs } from '../longest-waits.ts';
import type { Call, CallKind } from './call-record.ts';
import type { FaultyPart } from './fault-plan.ts';
import type { Recovery } from './faults.ts';
import { isGood, reachable, seconds, share } from './summary.ts';
import { isUnexcused } from './violations.ts';

/** One figure that a drill is held to, where it is asked for that. */
export interface Goal {
  readonly what: string;
  readonly reached: string;
  /** Undefined where nothing was measured. */
  readonly met: boolean | undefined;
}

const leastShare = { read: 0.999, write: 0.9 };
/** From SIGKILL to the first good answer, where nothing else is away. */
const backMs: readonly (readonly [what: string, parts: readonly FaultyPart[], ms: number])[] = [
  ['an app', apps, 3000],
  ['NATS', ['nats'], 2000],
  ['Postgres', ['postgres'], 3000],
];

/** What the figures are taken from. */
interface Measured {
  readonly record: { readonly calls: readonly Call[] };
  readonly faults: { readonly recoveries: readonly Recovery[] };
}

/** What is wanted of a drill's figures, each with what it was. */
export function goalsOf(drilled: Measured): Goal[] {
  const { record, faults } = drilled;
  const of = (...kinds: CallKind[]) => record.calls.filter(({ kind }) => kinds.includes(kind));
  const unexcused = record.calls.filter((call) => call.status >= 500 && isUnexcused(call)).length;
  const kills = faults.recoveries.filter(({ kind, alone }) => kind === 'kill' && alone);
  return [
    atMost('the longest read', of('read', 'own read'), longestWaitMs.read),
    atMost('the longest write', of('write'), longestWaitMs.write),
    atLeast('public reads', reachable(of('read'), drilled), leastShare.read),
    atLeast('writes', reachable(of('write'), drilled), leastShare.write),
    ...backMs.map(([what, parts, ms]) => {
      const own = kills.filter(({ part }) => parts.includes(part));
      return atMost(`${what} is back after SIGKILL`, own, ms);
    }),
    {
      what: "5xx other than 503, 504 and the full store's own 507: 0",
      reached: String(unexcused),
      met: unexcused === 0,
    },
  ];
}

function atMost(what: string, timed: readonly { readonly ms: number }[], limitMs: number): Goal {
  const most = timed.reduce((longest, { ms }) => Math.max(longest, ms), 0);
  const reached = timed.length === 0 ? 'not measured' : `${(most / 1000).toFixed(2)} s`;
  const met = timed.length === 0 ? undefined : most <= limitMs;
  return { what: `${what}: ≤ ${seconds(limitMs)}`, reached, met };
}

function atLeast(what: string, calls: readonly Call[], least: number): Goal {
  const good = calls.filter(isGood).length;
  const met = calls.length === 0 ? undefined : good >= least * calls.length;
  return { what: `${what} that succeed: ≥ ${share(least, 1)}`, reached: share(good, calls.length), met };
}

const verdict = (met: boolean | undefined) => (met === undefined ? 'UNSEEN' : met ? 'met   ' : 'MISSED');

export const goalLine = ({ what, reached, met }: Goal): string =>
  `  ${verdict(met)} ${what}; reached ${reached}`;
