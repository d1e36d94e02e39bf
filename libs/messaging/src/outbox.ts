import type { Event, Facts } from '@stoa/contracts';
import { traceHeaders } from '@stoa/telemetry';
import { randomUUID } from 'node:crypto';

/** What outbox and inbox need of a database transaction; Prisma's transaction client provides it. */
export interface SqlTransaction {
  $executeRawUnsafe(sql: string, ...values: unknown[]): Promise<number>;
}

/** What a reader needs of a database client; Prisma's client and transaction client provide it. */
export interface SqlReader {
  $queryRawUnsafe<Rows>(sql: string, ...values: unknown[]): Promise<Rows>;
}

export const outboxChannel = 'outbox';

/**
 * Records an event in the transaction of its change: both are committed, or neither. The relay publishes it on the
 * stream after the commit.
 */
export async function recordEvent<E extends Event>(
  transaction: SqlTransaction,
  event: E,
  facts: Facts<E>,
): Promise<void> {
  await transaction.$executeRawUnsafe(
    `WITH recorded AS (
       INSERT INTO outbox (event_id, subject, payload, headers)
       VALUES ($1::uuid, $2, $3::jsonb, $4::jsonb) RETURNING 1)
     SELECT pg_notify('${outboxChannel}', '') FROM recorded`,
    randomUUID(),
    event.subject,
    JSON.stringify(event.facts.parse(facts)),
    JSON.stringify(traceHeaders()),
  );
}

/** The columns, besides the facts, for a statement that inserts into the outbox itself. */
export function newEvent(event: Event): { id: string; subject: string; headers: string } {
  return { id: randomUUID(), subject: event.subject, headers: JSON.stringify(traceHeaders()) };
}

/**
 * Records in the transaction of the effect that an event was handled.
 *
 * @returns false for a repeated delivery; the effect must not be repeated then.
 */
export async function claimFirstDelivery(transaction: SqlTransaction, eventId: string): Promise<boolean> {
  const inserted = await transaction.$executeRawUnsafe(
    'INSERT INTO inbox (event_id) VALUES ($1) ON CONFLICT DO NOTHING',
    eventId,
  );
  return inserted === 1;
}

/** The space keeps request ids apart from event ids, which contain no space. */
const inboxKey = (requestId: string) => `request ${requestId}`;

/** The inbox key for a statement that records the request itself, as `isRequestDone` reads it; null without an id. */
export const requestInboxKey = (requestId: string | undefined): string | null =>
  requestId === undefined ? null : inboxKey(requestId);

/** Records in the transaction of its effect that a request was done. It throws on a repeat, which rolls back the second effect. */
export async function recordRequest(
  transaction: SqlTransaction,
  requestId: string | undefined,
): Promise<void> {
  if (requestId === undefined) return;
  await transaction.$executeRawUnsafe('INSERT INTO inbox (event_id) VALUES ($1)', inboxKey(requestId));
}

/** Like `recordRequest`, but a concurrent repeat is no error: for requests whose effect may happen twice. */
export async function recordRepeatableRequest(
  transaction: SqlTransaction,
  requestId: string | undefined,
): Promise<void> {
  if (requestId !== undefined) await claimFirstDelivery(transaction, inboxKey(requestId));
}

/**
 * Whether an earlier try of this request has done it, and only its answer was lost. The effect must not be repeated
 * then; the caller answers with the current state. Call it under the lock of the effect.
 */
export async function isRequestDone(transaction: SqlReader, requestId: string | undefined): Promise<boolean> {
  if (requestId === undefined) return false;
  const done = await transaction.$queryRawUnsafe<unknown[]>(
    'SELECT 1 AS done FROM inbox WHERE event_id = $1',
    inboxKey(requestId),
  );
  return done.length > 0;
}

/** The most rows that `outboxBacklog` counts, so that an export does not scan a backlog of millions. */
export const maxCountedRows = 10_000;

/** The state of an outbox: waiting events, the age of the oldest in seconds, and events set aside. */
export interface OutboxBacklog {
  readonly rows: number;
  readonly age: number;
  readonly setAside: number;
}

/** Reads the state of the outbox; `rows` and `setAside` are at most `maxCountedRows`, `age` is 0 when no event waits. */
export async function outboxBacklog(
  query: (sql: string) => Promise<OutboxBacklog[]>,
): Promise<OutboxBacklog | undefined> {
  const [backlog] = await query(
    `WITH held AS (SELECT retry_at = 'infinity' IS TRUE AS aside, created_at FROM outbox ORDER BY id LIMIT ${maxCountedRows})
     SELECT count(*) FILTER (WHERE NOT aside)::int AS rows, count(*) FILTER (WHERE aside)::int AS "setAside",
            coalesce(extract(epoch FROM now() - min(created_at) FILTER (WHERE NOT aside)), 0)::float8 AS age
       FROM held`,
  );
  return backlog;
}
