import { setTimeout as pause } from 'node:timers/promises';
import { CallRecord } from './call-record.ts';
import { planFaults, randomNumbers, type SpecialFaults } from './fault-plan.ts';
import { Faults } from './faults.ts';
import { auditEvents } from './event-audit.ts';
import { Ledger } from './ledger.ts';
import { Load } from './load.ts';
import { DrillMails } from './mails.ts';
import { type Goal, goalsOf } from './goals.ts';
import { type Drilled, summaryOf } from './summary.ts';
import { knownFaults, violationsOf } from './violations.ts';

export interface DrillOptions extends SpecialFaults {
  readonly seed: number;
  readonly faults: number;
  readonly everyMs: number;
  /** People who come in a second. */
  readonly perSecond: number;
}

export interface Outcome {
  /** What was lost, doubled, miscounted, or answered as nothing should be. */
  readonly violations: readonly string[];
  /** How many writes were acknowledged, by what they are: nothing is lost where nothing was taken. */
  readonly acknowledged: Readonly<Record<string, number>>;
  readonly summary: string;
  /** Figures, and what they ought to be: a matter of the machine as well. */
  readonly goals: readonly Goal[];
}

const creators = 8;

/** Takes the system apart under load, a fault after the other, and compares what is left with what writers were told. */
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
  if (!prober) throw new Error('There is nobody.');
  const faults = new Faults(record, () => load.token(prober));
  const begun = performance.now();
  load.start(perSecond);
  for (const [index, fault] of planFaults(seed, count, special).entries()) {
    await pause(Math.max(0, begun + (index + 1) * everyMs - performance.now()));
    faults.strike(fault);
    await mails.look();
  }
  await pause(everyMs);
  await load.stop();
  const lasted = performance.now() - begun;
  await faults.over();

  const violations = await violationsOf(record, ledger, mails, load, before);
  const drilled: Drilled = {
    ...{ seed, count, everyMs, perSecond, lasted, record, ledger, faults },
    repeated: mails.repeated(),
    events: (await auditEvents()).lines,
  };
  const acknowledged = ledger.acknowledged();
  return { violations, acknowledged, summary: summaryOf(drilled), goals: goalsOf(drilled) };
}
