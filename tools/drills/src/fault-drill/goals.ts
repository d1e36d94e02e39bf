import { apps } from '@stoa/system';
import { longestWaitMs } from '../longest-waits.ts';
import type { Call, CallKind } from './call-record.ts';
import type { FaultyPart } from './fault-plan.ts';
import type { Recovery } from './faults.ts';
import { isGood, reachableCalls, seconds, share } from './summary.ts';
import { isUnexcused } from './violations.ts';

/** One figure with its limit, which a strict drill enforces. */
export interface Goal {
  readonly what: string;
  readonly reached: string;
  /** Whether the figure is within its limit; undefined without measurements. */
  readonly met: boolean | undefined;
}

const leastShare = { read: 0.999, write: 0.9 };
/** Limits of the time from SIGKILL to the first good answer, if no other part is away. */
const backMs: readonly (readonly [what: string, parts: readonly FaultyPart[], ms: number])[] = [
  ['an app', apps, 3000],
  ['NATS', ['nats'], 2000],
  ['Postgres', ['postgres'], 3000],
];

const isApp = (part: FaultyPart) => apps.some((app) => app === part);

/** The records from which the figures are computed. */
interface Measured {
  readonly record: { readonly calls: readonly Call[] };
  readonly faults: { readonly recoveries: readonly Recovery[] };
}

/** The goals of a drill with the reached figures. */
export function goalsOf(drilled: Measured): Goal[] {
  const { record, faults } = drilled;
  const of = (...kinds: CallKind[]) => record.calls.filter(({ kind }) => kinds.includes(kind));
  const unexcused = record.calls.filter((call) => call.status >= 500 && isUnexcused(call)).length;
  const kills = faults.recoveries.filter(({ kind, alone }) => kind === 'kill' && alone);
  const hangs = faults.recoveries.filter(({ kind, part }) => kind === 'hang' && isApp(part));
  // A read may be refused while a replica is frozen, which lasts at most 5 s.
  const isExcused = ({ status, began, ms }: Call) =>
    [503, 504].includes(status) && hangs.some(({ from, to }) => began < to && began + ms > from);
  const reads = reachableCalls(of('read'), drilled).filter((call) => !isExcused(call));
  return [
    atMost('the longest read', of('read', 'own read'), longestWaitMs.read),
    atMost('the longest write', of('write'), longestWaitMs.write),
    atLeast('public reads', reads, leastShare.read),
    atLeast('writes', reachableCalls(of('write'), drilled), leastShare.write),
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
