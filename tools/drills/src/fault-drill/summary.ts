import { theSystem } from '@stoa/e2e/system';
import type { Call, CallKind, CallRecord } from './call-record.ts';
import { faultKinds, faultyParts } from './fault-plan.ts';
import type { Faults, Recovery } from './faults.ts';
import type { Ledger } from './ledger.ts';

export interface DrillResult {
  readonly seed: number;
  readonly count: number;
  readonly everyMs: number;
  readonly perSecond: number;
  readonly lasted: number;
  readonly record: CallRecord;
  readonly ledger: Ledger;
  readonly faults: Faults;
  readonly repeated: number;
  /** The state of the events, a line for each service. */
  readonly events: readonly string[];
}

export const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
export const share = (part: number, of: number) => (of === 0 ? '–' : `${((part / of) * 100).toFixed(2)} %`);
const kinds: readonly CallKind[] = ['read', 'own read', 'write'];

export function summaryOf(drilled: DrillResult): string {
  const { seed, count, everyMs, perSecond, lasted, record, ledger, repeated, events } = drilled;
  const acknowledged = Object.entries(ledger.acknowledged()).map(([what, number]) => `${number} ${what}`);
  return [
    `Seed ${seed}: ${count} faults, one every ${seconds(everyMs)}, ${perSecond} people a second, for ${seconds(lasted)}`,
    `Acknowledged: ${acknowledged.join(', ')}`,
    `Mails handed over again under the same Message-ID: ${repeated}`,
    'Events',
    ...events.map((line) => `  ${line}`),
    ...kinds.map((kind) => lineOf(kind, drilled)),
    'Failed calls by status (0: no answer)',
    ...failureLines(record),
    'Back after',
    ...recoveryLines(drilled.faults.recoveries),
  ].join('\n');
}

export const isGood = ({ good }: Call) => good;

/** The calls that could reach a gateway: with a single one, those during its absence cannot. */
export function reachableCalls(
  calls: readonly Call[],
  { faults }: { readonly faults: { readonly recoveries: readonly Recovery[] } },
): Call[] {
  const outages = theSystem().replicaPorts ? [] : faults.recoveries.filter(({ part }) => part === 'gateway');
  return calls.filter(({ began, ms }) => !outages.some(({ from, to }) => began < to && began + ms > from));
}

function lineOf(kind: CallKind, drilled: DrillResult): string {
  const own = drilled.record.calls.filter((call) => call.kind === kind);
  const [slowest] = own.toSorted((a, b) => b.ms - a.ms);
  const longest = slowest ? `, longest ${seconds(slowest.ms)} (${slowest.what}, ${slowest.status})` : '';
  const shares = [own, reachableCalls(own, drilled)].map((calls) =>
    share(calls.filter(isGood).length, calls.length),
  );
  const whileThere = theSystem().replicaPorts ? '' : `, ${shares[1]} of those while the gateway was there`;
  return `${kind}s: ${own.length}, succeeded ${shares[0]}${whileThere}${longest}`;
}

/** The number of failed calls, by kind and status. */
export function failureLines({ calls }: Pick<CallRecord, 'calls'>): string[] {
  const counts = new Map<string, number>();
  for (const { status, kind, what, why, good } of calls) {
    if (kind === 'probe' || good) continue;
    const line = `${status} ${kind}: ${what.split('?', 1)[0]}${why ? ` (${why})` : ''}`;
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  const sorted = [...counts].toSorted((a, b) => b[1] - a[1]);
  return sorted.map(([line, number]) => `  ${number} × ${line}`);
}

/** How long each part took to recover, alone and while others were away, for which it may have had to wait. */
export function recoveryLines(all: readonly Recovery[]): string[] {
  return faultyParts.map((part) => {
    const times = faultKinds.flatMap((kind) => {
      const own = all.filter((one) => one.part === part && one.kind === kind);
      const [alone, together] = [own.filter((one) => one.alone), own.filter((one) => !one.alone)];
      const groups = [timesOf(alone), together.length > 0 && `with others ${timesOf(together)}`];
      return own.length === 0 ? [] : `${kind} ${groups.filter(Boolean).join(', ')}`;
    });
    return `  ${part.padEnd(9)} ${times.join('; ')}`;
  });
}

function timesOf(some: readonly Recovery[]): string {
  const times = some.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const [middle, most] = [times[Math.floor(times.length / 2)], times.at(-1)];
  if (middle === undefined || most === undefined) return '–';
  return times.length === 1
    ? seconds(most)
    : `${seconds(middle)} (worst of ${times.length}: ${seconds(most)})`;
}
