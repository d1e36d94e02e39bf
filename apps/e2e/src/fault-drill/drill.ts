import { DeadLetters } from '@stoa/system/operations/dead-letters';
import { reconcile } from '@stoa/system/operations/reconcile';
import { setTimeout as pause } from 'node:timers/promises';
import { theSystem } from '../system.ts';
import { type Call, CallRecord } from './call-record.ts';
import { planFaults, randomNumbers } from './fault-plan.ts';
import { Faults } from './faults.ts';
import { Ledger } from './ledger.ts';
import { Load } from './load.ts';
import { DrillMails, mailNow } from './mails.ts';
import { type Outcome, summaryOf } from './summary.ts';

export interface DrillOptions {
  readonly seed: number;
  readonly faults: number;
  readonly everyMs: number;
  /** People who come in a second. */
  readonly perSecond: number;
}

const creators = 8;
const settleMs = 90_000;
const betweenLooksMs = 500;
/** What no outage is an excuse for: a read of what is there is never told that there is nothing. */
const isWrong = ({ kind, status }: Call) =>
  (status >= 500 && status !== 503 && status !== 504) || (kind === 'read' && status >= 400 && status < 500);

/** Takes the system apart under load, a fault after the other, and compares what is left with what writers were told. */
export async function drillFaults({
  seed,
  faults: count,
  everyMs,
  perSecond,
}: DrillOptions): Promise<Outcome> {
  const record = new CallRecord();
  const ledger = new Ledger();
  const mails = new DrillMails();
  const before = { findings: new Set(await findings()), letters: new Set(await letters()) };
  const load = await Load.open(creators, record, ledger, randomNumbers(seed));
  const [prober] = ledger.creators;
  if (!prober) throw new Error('There is nobody.');
  const faults = new Faults(record, () => load.token(prober));
  const begun = performance.now();
  load.start(perSecond);
  for (const [index, fault] of planFaults(seed, count).entries()) {
    await pause(Math.max(0, begun + (index + 1) * everyMs - performance.now()));
    faults.strike(fault);
    await mails.look();
  }
  await pause(everyMs);
  await load.stop();
  const lasted = performance.now() - begun;
  await faults.over();

  const violations: string[] = [];
  const isOver = async () => {
    const waiting = await mailNow();
    await mails.look();
    const left = (await findings()).filter((finding) => !before.findings.has(finding));
    const unmailed = acknowledgedMessages(ledger).filter((id) => !mails.has(id));
    return [
      ...left,
      ...unmailed.map((id) => `the message ${id} was not mailed`),
      ...(waiting > 0 ? [`${waiting} messages wait`] : []),
    ];
  };
  violations.push(...(await lastOf(isOver)));
  violations.push(...(await ledger.violations((creator) => load.token(creator))));
  violations.push(...mails.doubled().map((id) => `the message ${id} was mailed as two mails`));
  for (const letter of await letters())
    if (!before.letters.has(letter)) violations.push(`an event was given up on: ${letter}`);
  for (const { what, status } of record.calls.filter(isWrong))
    violations.push(`${what} was answered ${status}`);
  return {
    violations,
    summary: summaryOf({
      seed,
      count,
      everyMs,
      perSecond,
      lasted,
      record,
      ledger,
      faults,
      repeated: mails.repeated(),
    }),
  };
}

const acknowledgedMessages = ({ messages }: Ledger): string[] =>
  [...messages].flatMap(([id, outcome]) => (outcome === 'acknowledged' ? [id] : []));

/** What is wrong, as often looked at as it takes until nothing is. */
async function lastOf(look: () => Promise<string[]>): Promise<string[]> {
  const since = performance.now();
  for (;;) {
    const wrong = await look();
    if (wrong.length === 0 || performance.now() - since > settleMs) return wrong;
    await pause(betweenLooksMs);
  }
}

async function findings(): Promise<string[]> {
  return (await reconcile(theSystem())).map(({ kind, what }) => `${kind}: ${what}`);
}

async function letters(): Promise<string[]> {
  const open = await DeadLetters.open(theSystem());
  try {
    const found: string[] = [];
    for await (const { id, service, subject, reason } of open.list())
      found.push(`${id} ${service} ${subject}: ${reason}`);
    return found;
  } finally {
    await open.close();
  }
}
