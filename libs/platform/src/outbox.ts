import type { Event, Facts } from '@stoa/contracts';
import { traceHeaders } from '@stoa/telemetry';
import { randomUUID } from 'node:crypto';

/** The one thing outbox and inbox need of a database transaction; Prisma's transaction client has it. */
export interface SqlTransaction {
  $executeRawUnsafe(sql: string, ...values: unknown[]): Promise<number>;
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

/**
 * Records in the transaction of the effect that an event was handled.
 *
 * @returns false when it was handled before; the effect must not be repeated then.
 */
export async function firstDelivery(transaction: SqlTransaction, eventId: string): Promise<boolean> {
  const inserted = await transaction.$executeRawUnsafe(
    'INSERT INTO inbox (event_id) VALUES ($1) ON CONFLICT DO NOTHING',
    eventId,
  );
  return inserted === 1;
}
