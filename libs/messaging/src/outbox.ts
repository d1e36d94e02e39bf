import type { Event, Facts } from '@stoa/contracts';
import { traceHeaders } from '@stoa/telemetry';
import { randomUUID } from 'node:crypto';

/** The one thing outbox and inbox need of a database transaction; Prisma's transaction client has it. */
export interface SqlTransaction {
  $executeRawUnsafe(sql: string, ...values: unknown[]): Promise<number>;
}

/** The same for what only reads; Prisma's client has it, too. */
export interface SqlReader {
  $queryRawUnsafe<Rows>(sql: string, ...values: unknown[]): Promise<Rows>;
}

export const outboxChannel = 'outbox';

/**
 * Records an event in the transaction that makes it true: both are there, or neither. The relay puts it on
 * the stream after the commit.
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

/** What a statement that inserts into the outbox itself puts there beside the facts. */
export function newEvent(event: Event): { id: string; subject: string; headers: string } {
  return { id: randomUUID(), subject: event.subject, headers: JSON.stringify(traceHeaders()) };
}

/**
 * Records in the transaction of the effect that an event was handled.
 *
 * @returns false when it was handled before; the effect must not be repeated then.
 */
export async function claimFirstDelivery(transaction: SqlTransaction, eventId: string): Promise<boolean> {
  const inserted = await transaction.$executeRawUnsafe(
    'INSERT INTO inbox (event_id) VALUES ($1) ON CONFLICT DO NOTHING',
    eventId,
  );
  return inserted === 1;
}

/** Beside the ids of events, which hold no space. */
const inboxKey = (requestId: string) => `request ${requestId}`;

/** What a statement that changes something itself puts into the inbox, so that `isRequestDone`; null where there is no id. */
export const requestInboxKey = (requestId: string | undefined): string | null =>
  requestId === undefined ? null : inboxKey(requestId);

/** Records in the transaction of its effect that a request was done: one that is `idempotent` may come again. */
export async function recordRequest(
  transaction: SqlTransaction,
  requestId: string | undefined,
): Promise<void> {
  if (requestId === undefined) return;
  await transaction.$executeRawUnsafe('INSERT INTO inbox (event_id) VALUES ($1)', inboxKey(requestId));
}

/** The same for two tries that may be at it at once, of what may be done twice. */
export async function noteRequest(transaction: SqlTransaction, requestId: string | undefined): Promise<void> {
  if (requestId !== undefined) await claimFirstDelivery(transaction, inboxKey(requestId));
}

/**
 * Whether an earlier try of this request, which nobody got the answer of, did it: the effect must not be repeated then, and the
 * answer is what is there. To be asked under the lock that the effect is made under.
 */
export async function isRequestDone(transaction: SqlReader, requestId: string | undefined): Promise<boolean> {
  if (requestId === undefined) return false;
  const done = await transaction.$queryRawUnsafe<unknown[]>(
    'SELECT 1 AS done FROM inbox WHERE event_id = $1',
    inboxKey(requestId),
  );
  return done.length > 0;
}

/** The most rows that `outboxBacklog` counts: a backlog of millions must not be walked through at every export. */
export const maxCountedRows = 10_000;

/** What an outbox holds: how many events wait, for how many seconds the first of them has, how many were set aside. */
export interface OutboxBacklog {
  readonly rows: number;
  readonly age: number;
  readonly setAside: number;
}

/** Reads what waits in the outbox; `rows` and `setAside` are at most `maxCountedRows`, `age` 0 when nothing waits. */
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
