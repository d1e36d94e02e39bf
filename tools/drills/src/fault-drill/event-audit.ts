import { type OfferingFacts } from '@stoa/contracts';
import type { Service } from '@stoa/system';
import { type EventLedger, readEventLedger, type StreamedEvent } from '@stoa/system/testing/event-ledger';
import { theSystem } from '@stoa/e2e/system';

/** Whether a service records this event when it handles it. */
type Noted = (facts: Partial<OfferingFacts>) => boolean;

const always: Noted = () => true;
/** An edit that changes no count is ignored and not recorded. */
const counted: Noted = ({ tally }) => tally !== undefined;

/**
 * The events whose effect would be wrong if it happened twice: their receiver records the id in the transaction of
 * the effect. All other events are idempotent by versions or by state. They count as handled once their consumer has
 * acknowledged them.
 */
const noted: Partial<Record<Service, Record<string, Noted>>> = {
  identity: {
    'events.media.exportEnded': always,
    'events.offerings.paymentsMoved': always,
    'events.creators.paymentsMoved': always,
    'events.creators.reviewed': always,
    'events.contact.linksDied': always,
  },
  creators: {
    'events.offerings.published': counted,
    'events.offerings.changed': counted,
    'events.offerings.removed': counted,
    'events.identity.closed': always,
  },
  offerings: { 'events.identity.closed': always },
  media: {
    'events.offerings.published': always,
    'events.offerings.changed': always,
    'events.offerings.removed': always,
    'events.identity.closed': always,
  },
  contact: { 'events.identity.closed': always },
};

/** The figures of the comparison, and the differences. */
export interface EventAudit {
  readonly lines: readonly string[];
  readonly wrong: readonly string[];
}

/** Compares each event on the stream with the records of every service that follows it. */
export async function auditEvents(): Promise<EventAudit> {
  return audit(await readEventLedger(theSystem()));
}

export function audit({ events, handled, followed, unsent }: EventLedger): EventAudit {
  const wrong: string[] = [];
  const ids = new Set(events.map(({ id }) => id));
  wrong.push(...doubled(events).map((id) => `the event ${id} is on the stream twice`));
  for (const [service, rows] of Object.entries(unsent))
    if (rows > 0) wrong.push(`${rows} events of ${service} are not on the stream`);
  const lines = [`${events.length} on the stream, ${ids.size} by their ids`];
  for (const [service, { subjects, waiting }] of Object.entries(followed)) {
    const own = events.filter(({ subject }) => subjects.includes(subject));
    const wanted = own.filter((event) => isNoted(service as Service, event));
    const written = handled[service as Service];
    const missed = wanted.filter(({ id }) => !written.has(id));
    const unknown = [...written].filter((id) => !ids.has(id));
    if (waiting > 0) wrong.push(`${waiting} events wait for ${service}`);
    wrong.push(...missed.map(({ id, subject }) => `${service} has not handled ${subject} ${id}`));
    wrong.push(...unknown.map((id) => `${service} has handled ${id}, which is not on the stream`));
    lines.push(
      `${service.padEnd(9)} follows ${own.length}, ${waiting} of them wait; of ${wanted.length} that it writes down ` +
        `${wanted.length - missed.length} are handled, once each; ${unknown.length} of unknown events`,
    );
  }
  return { lines, wrong };
}

function isNoted(service: Service, { subject, payload }: StreamedEvent): boolean {
  const rule = noted[service]?.[subject];
  return rule !== undefined && rule(JSON.parse(payload) as Partial<OfferingFacts>);
}

function doubled(events: readonly StreamedEvent[]): string[] {
  const seen = new Set<string>();
  return events.flatMap(({ id }) => {
    if (seen.has(id)) return [id];
    seen.add(id);
    return [];
  });
}
