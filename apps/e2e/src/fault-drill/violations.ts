import { DeadLetters } from '@stoa/system/operations/dead-letters';
import { reconcile } from '@stoa/system/operations/reconcile';
import { setTimeout as pause } from 'node:timers/promises';
import type { TestCreator } from '../creators.ts';
import { theSystem } from '../system.ts';
import { auditEvents } from './event-audit.ts';
import type { Call, CallRecord } from './call-record.ts';
import { tellRest, violationsOfVisits } from './drill-visits.ts';
import { violationsOfLeavers } from './leavers.ts';
import type { Ledger } from './ledger.ts';
import { type Load, toStore } from './load.ts';
import { type DrillMails, mailNow } from './mails.ts';

/** What was wrong before a drill, and is nothing that it did. */
export interface KnownFaults {
  readonly findings: ReadonlySet<string>;
  readonly letters: ReadonlySet<string>;
  readonly events: ReadonlySet<string>;
}

const settleMs = 90_000;
const betweenLooksMs = 500;

/** What no outage is an excuse for: a read of what is there is never told that there is nothing. */
export const isUnexcused = ({ kind, what, status }: Call) =>
  (status >= 500 && !outages.includes(status) && !(status === noRoom && what === toStore)) ||
  (kind === 'read' && status >= 400 && status < 500);
const outages = [503, 504];
/** What the object store itself says of a full disk, to a browser that uploads there. */
const noRoom = 507;

export async function knownFaults(): Promise<KnownFaults> {
  const { wrong } = await auditEvents();
  return { findings: new Set(await findings()), letters: new Set(await letters()), events: new Set(wrong) };
}

/** What is not as those were told who asked for it, once all parts are there and nobody comes any more. */
export async function violationsOf(
  record: CallRecord,
  ledger: Ledger,
  mails: DrillMails,
  load: Load,
  before: KnownFaults,
): Promise<string[]> {
  const violations: string[] = [];
  const token = (creator: TestCreator) => load.token(creator);
  const isOver = async () => {
    const waiting = await mailNow();
    await tellRest(ledger.visits.values());
    await mails.look();
    const left = (await findings()).filter((finding) => !before.findings.has(finding));
    const events = (await auditEvents()).wrong.filter((one) => !before.events.has(one));
    const unmailed = acknowledgedMessages(ledger).filter((id) => !mails.has(id));
    return [
      ...left,
      ...events,
      ...unmailed.map((id) => `the message ${id} was not mailed`),
      ...(await violationsOfVisits(ledger.visits.values(), ledger.creators, token)),
      ...(await violationsOfLeavers(ledger.leavers, mails)),
      ...(waiting > 0 ? [`${waiting} messages wait`] : []),
    ];
  };
  violations.push(...(await lastOf(isOver)));
  violations.push(...(await ledger.violations(token)));
  violations.push(...mails.doubled().map((id) => `what was mailed of ${id} came as two mails`));
  for (const letter of await letters())
    if (!before.letters.has(letter)) violations.push(`an event was given up on: ${letter}`);
  for (const { what, status } of record.calls.filter(isUnexcused))
    violations.push(`${what} was answered ${status}`);
  return violations;
}

const acknowledgedMessages = ({ messages }: Ledger): string[] =>
  [...messages].flatMap(([id, outcome]) => (outcome === 'acknowledged' ? [id] : []));

/** What is wrong, as often looked at as it takes until nothing is. */
async function lastOf(look: () => Promise<string[]>): Promise<string[]> {
  const since = performance.now();
  for (;;) {
    const wrong = await look().catch((error: unknown) => [`it could not be looked at: ${String(error)}`]);
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
