import { DeadLetters } from '@stoa/system/operations/dead-letters';
import { reconcile } from '@stoa/system/operations/reconcile';
import { setTimeout as pause } from 'node:timers/promises';
import type { TestCreator } from '@stoa/e2e/creators';
import { theSystem } from '@stoa/e2e/system';
import { auditEvents } from './event-audit.ts';
import type { Call, CallRecord } from './call-record.ts';
import { resendUnacknowledged, violationsOfVisits } from './drill-visits.ts';
import { violationsOfLeavers } from './leavers.ts';
import type { Ledger } from './ledger.ts';
import { type Load, uploadCall } from './load.ts';
import { type DrillMails, expireMailLeases } from './mails.ts';

/** Faults that existed when the drill began. */
export interface KnownFaults {
  readonly findings: ReadonlySet<string>;
  readonly letters: ReadonlySet<string>;
  readonly events: ReadonlySet<string>;
}

const settleMs = 90_000;
const pollMs = 500;

/** Answers that no outage excuses. A read of existing data must never answer that there is none. */
export const isUnexcused = ({ kind, what, status }: Call) =>
  (status >= 500 && !outages.includes(status) && !(status === noRoom && what === uploadCall)) ||
  (kind === 'read' && status >= 400 && status < 500);
const outages = [503, 504];
/** The object store's own HTTP status for a full disk, which a browser gets when it uploads directly. */
const noRoom = 507;

export async function knownFaults(): Promise<KnownFaults> {
  const { wrong } = await auditEvents();
  return { findings: new Set(await findings()), letters: new Set(await letters()), events: new Set(wrong) };
}

/** All differences from what was acknowledged, once all parts are back and no more calls arrive. */
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
    const waiting = await expireMailLeases();
    await resendUnacknowledged(ledger.visits.values());
    await mails.collect();
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
  violations.push(...(await remaining(isOver)));
  violations.push(...(await ledger.violations(token)));
  violations.push(...mails.doubled().map((id) => `${id} was mailed as two different mails`));
  for (const letter of await letters())
    if (!before.letters.has(letter)) violations.push(`an event is a dead letter: ${letter}`);
  for (const { what, status } of record.calls.filter(isUnexcused))
    violations.push(`${what} was answered ${status}`);
  return violations;
}

const acknowledgedMessages = ({ messages }: Ledger): string[] =>
  [...messages].flatMap(([id, outcome]) => (outcome === 'acknowledged' ? [id] : []));

/** The remaining violations: it checks repeatedly until there are none, or `settleMs` is over. */
async function remaining(check: () => Promise<string[]>): Promise<string[]> {
  const since = performance.now();
  for (;;) {
    const wrong = await check().catch((error: unknown) => [`the check failed: ${String(error)}`]);
    if (wrong.length === 0 || performance.now() - since > settleMs) return wrong;
    await pause(pollMs);
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
