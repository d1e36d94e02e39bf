import { setTimeout as pause } from 'node:timers/promises';
import { CallRecord } from './call-record.ts';
import { planFaults, randomNumbers, type SpecialFaults } from './fault-plan.ts';
import { Faults } from './faults.ts';
import { auditEvents } from './event-audit.ts';
import { Ledger } from './ledger.ts';
import { Load } from './load.ts';
import { DrillMails } from './mails.ts';
import { type Goal, goalsOf } from './goals.ts';
import { type DrillResult, summaryOf } from './summary.ts';
import { knownFaults, violationsOf } from './violations.ts';

export interface DrillOptions extends SpecialFaults {
  readonly seed: number;
  readonly faults: number;
  readonly everyMs: number;
  /** Arrivals of users per second. */
  readonly perSecond: number;
}

export interface Outcome {
  /** Writes that were lost, doubled or miscounted, and answers that no fault excuses. */
  readonly violations: readonly string[];
  /** Acknowledged writes by kind. A drill without any proves nothing. */
  readonly acknowledged: Readonly<Record<string, number>>;
  readonly summary: string;
  /** Figures and their limits, which also depend on the machine. */
  readonly goals: readonly Goal[];
}

const creators = 8;

/** Injects one fault after the other under load, and compares the final state with the acknowledged writes. */
export async function drillFaults({
  seed,
  faults: count,
  everyMs,
  perSecond,
  ...special
}: DrillOptions): Promise<Outcome> {
  const record = new CallRecord();
  const ledger = new Ledger();
  const mails = new DrillMails();
  const before = await knownFaults();
  const load = await Load.open(creators, record, ledger, randomNumbers(seed));
  const [prober] = ledger.creators;
  if (!prober) throw new Error('There is no creator.');
  const faults = new Faults(record, () => load.token(prober));
  const begun = performance.now();
  load.start(perSecond);
  for (const [index, fault] of planFaults(seed, count, special).entries()) {
    await pause(Math.max(0, begun + (index + 1) * everyMs - performance.now()));
    faults.inject(fault);
    await mails.collect();
  }
  await pause(everyMs);
  await load.stop();
  const lasted = performance.now() - begun;
  await faults.untilRecovered();

  const violations = await violationsOf(record, ledger, mails, load, before);
  const drilled: DrillResult = {
    ...{ seed, count, everyMs, perSecond, lasted, record, ledger, faults },
    repeated: mails.repeated(),
    events: (await auditEvents()).lines,
  };
  const acknowledged = ledger.acknowledged();
  return { violations, acknowledged, summary: summaryOf(drilled), goals: goalsOf(drilled) };
}
