import { contact, type ContactMessage, type Mailbox, type ReceivedMessage } from '@stoa/contracts';
import { claimFirstDelivery, recordEvent } from '@stoa/messaging';
import { Injectable } from '@nestjs/common';
import { Database } from '../database.ts';
import { hasRoom, type SourceShares, type UsedRoom } from './fair-room.ts';
import { Prisma } from '../generated/prisma/client.ts';

/**
 * `sender` and `network` are hashes of network addresses. `to` is null if the operator receives the message.
 */
export type StoredMessage = ContactMessage & { sender: string; network: string; to: Mailbox | null };

export type StoreOutcome =
  | { kind: 'stored' }
  | { kind: 'known' }
  | { kind: 'refused'; waitSeconds: number }
  /** The creator has reached a limit, or this sender's address or network has used its share of it. */
  | { kind: 'full' }
  | { kind: 'closed' };

export interface MessageLimits extends SourceShares {
  /** Messages from one sender to one recipient. */
  readonly perHour: number;
  readonly perHourInAll: number;
  /** Maximum number of recipients to whom one sender may send the same text within an hour. */
  readonly sameText: number;
  readonly relayedPerDay: number;
  readonly held: number;
}

/** Rows that one SQL statement of the sweeper changes. */
const sweepBatch = 5000;

@Injectable()
export class ContactRepository {
  constructor(private readonly prisma: Database) {}

  /** Stores a message, once per id, unless a limit of the sender or of the creator is reached. */
  async store(
    { id, sender, network, to, ...text }: StoredMessage,
    limits: MessageLimits,
  ): Promise<StoreOutcome> {
    return this.prisma.$transaction(async (tx) => {
      // Without the lock, two concurrent messages of one sender would not count each other.
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${sender}, 0))`;
      if (await tx.message.findUnique({ where: { id }, select: { id: true } })) return { kind: 'known' };
      const waitSeconds = await waitSecondsOf(tx, sender, to?.uid ?? null, text.message, limits);
      if (waitSeconds !== null) return { kind: 'refused', waitSeconds };
      const room = to ? await roomFor(tx, to, { sender, network }, limits) : { full: false, held: false };
      if (room === 'closed') return { kind: 'closed' };
      if (room.full) return { kind: 'full' };
      // Raw SQL sets `received_at` by the database's clock; Prisma would use the clock of this process.
      const rows = await tx.$executeRaw`
        INSERT INTO message (id, name, email, subject, message, sender, network, creator_id, held, "to")
        VALUES (${id}::uuid, ${text.name}, ${text.email}, ${text.subject}, ${text.message}, ${sender}, ${network},
                ${to?.uid ?? null}::uuid, ${room.held}, ${to && JSON.stringify(to)}::jsonb)
        ON CONFLICT DO NOTHING`;
      return { kind: rows === 1 ? 'stored' : 'known' };
    });
  }

  countHeld(creatorId: string): Promise<number> {
    return this.prisma.message.count({ where: { creatorId, held: true } });
  }

  /**
   * Lists messages to a creator, oldest first, so that new messages do not shift the pages. A page starts
   * after a message, not at an offset, because the sweeper deletes old messages.
   */
  async listReceived(
    creatorId: string,
    after: { receivedAt: string; id: string } | undefined,
    take: number,
  ): Promise<ReceivedMessage[]> {
    const later = after && [
      { receivedAt: { gt: after.receivedAt } },
      { receivedAt: after.receivedAt, id: { gt: after.id } },
    ];
    const rows = await this.prisma.message.findMany({
      where: { creatorId, ...(later && { OR: later }) },
      select: { id: true, name: true, email: true, subject: true, message: true, receivedAt: true },
      orderBy: [{ receivedAt: 'asc' }, { id: 'asc' }],
      take,
    });
    return rows.map(({ receivedAt, ...message }) => ({ ...message, receivedAt: receivedAt.toISOString() }));
  }

  /**
   * Records that the creator proved this address, and makes the messages held for the proof due for mailing.
   * Ignores the proof if a later one is stored, because events may arrive late.
   */
  async release(creatorId: string, email: string, at: string): Promise<void> {
    await this.prisma.$transaction(async (tx) => {
      await lockCreator(tx, creatorId);
      // The event of a proof may arrive after the event that closed the account.
      if (await isClosed(tx, creatorId)) return;
      const noted = await tx.$executeRaw`
        INSERT INTO proved_address AS known (creator_id, email, proved_at)
        VALUES (${creatorId}::uuid, ${email}, ${new Date(at)})
        ON CONFLICT (creator_id) DO UPDATE SET email = excluded.email, proved_at = excluded.proved_at
         WHERE known.proved_at <= excluded.proved_at`;
      if (noted === 0) return;
      await tx.$executeRaw`
        UPDATE message
           SET held = false, next_try_at = now(), "to" = jsonb_set("to", '{email}', to_jsonb(${email}::text))
         WHERE creator_id = ${creatorId}::uuid AND held`;
    });
  }

  /**
   * Deletes expired messages, and the hashes of senders that no rate limit needs any more. It works in
   * batches, so that no statement takes long.
   */
  async sweep(relayedDays: number, operatorDays: number, signal: AbortSignal): Promise<void> {
    const parts = [
      Prisma.sql`UPDATE message SET sender = NULL, network = NULL WHERE id = ANY (ARRAY(
        SELECT id FROM message
         WHERE sender IS NOT NULL AND NOT held AND received_at <= now() - interval '1 hour'
           AND (creator_id IS NULL OR received_at <= now() - interval '1 day') LIMIT ${sweepBatch}))`,
      Prisma.sql`DELETE FROM message WHERE id = ANY (ARRAY(
        SELECT id FROM message
         WHERE creator_id IS NOT NULL AND received_at <= now() - ${relayedDays}::int * interval '1 day' LIMIT ${sweepBatch}))`,
      Prisma.sql`DELETE FROM message WHERE id = ANY (ARRAY(
        SELECT id FROM message
         WHERE creator_id IS NULL AND mailed_at <= now() - ${operatorDays}::int * interval '1 day' LIMIT ${sweepBatch}))`,
    ];
    for (const part of parts) while (!signal.aborted && (await this.prisma.$executeRaw(part)) === sweepBatch);
  }

  /**
   * Deletes messages to a creator and messages from the creator's proved address. The record of the closed
   * account makes the service refuse later messages.
   */
  async close(creatorId: string, at: string, eventId: string): Promise<void> {
    await this.prisma.$transaction(async (tx) => {
      if (!(await claimFirstDelivery(tx, eventId))) return;
      await lockCreator(tx, creatorId);
      await tx.closedAccount.createMany({ data: [{ uid: creatorId, closedAt: at }], skipDuplicates: true });
      const received = await tx.message.deleteMany({ where: { creatorId } });
      const proved = await tx.provedAddress.findUnique({ where: { creatorId } });
      // Prisma's insensitive mode is ILIKE, in which an underscore is a wildcard. `lower()` compares exactly.
      const sent = proved
        ? await tx.$executeRaw`DELETE FROM message WHERE lower(email) = lower(${proved.email})`
        : 0;
      await tx.provedAddress.deleteMany({ where: { creatorId } });
      await tx.linkedPage.deleteMany({ where: { uid: creatorId } });
      const counts = { messagesReceived: received.count, messagesSent: sent };
      await recordEvent(tx, contact.erased, { uid: creatorId, counts });
    });
  }
}

/**
 * Seconds until `sender` may send this text to that recipient; null if allowed now. `sameText` limits
 * identical texts to several recipients, because they are advertisements.
 */
async function waitSecondsOf(
  tx: Prisma.TransactionClient,
  sender: string,
  creatorId: string | null,
  text: string,
  { perHour, perHourInAll, sameText }: MessageLimits,
): Promise<number | null> {
  const [row] = await tx.$queryRaw<{ wait: number | null }[]>`
    WITH recent AS MATERIALIZED (
      SELECT creator_id, message, received_at FROM message
       WHERE sender = ${sender} AND received_at > now() - interval '1 hour'
    ), last_allowed AS (
      (SELECT received_at FROM recent ORDER BY received_at DESC OFFSET ${perHourInAll - 1} LIMIT 1)
      UNION ALL
      (SELECT received_at FROM recent WHERE creator_id IS NOT DISTINCT FROM ${creatorId}::uuid
        ORDER BY received_at DESC OFFSET ${perHour - 1} LIMIT 1)
      UNION ALL
      (SELECT max(received_at) FROM recent
        WHERE message = ${text} AND creator_id IS DISTINCT FROM ${creatorId}::uuid
        GROUP BY creator_id ORDER BY max(received_at) DESC OFFSET ${sameText - 1} LIMIT 1)
    )
    SELECT extract(epoch FROM max(received_at) + interval '1 hour' - now())::float8 AS wait FROM last_allowed`;
  return row?.wait ?? null;
}

/** Whether the creator's limits are reached, and whether a message is held until the address is proved. */
async function roomFor(
  tx: Prisma.TransactionClient,
  { uid, email, emailVerified }: Mailbox,
  { sender, network }: Pick<StoredMessage, 'sender' | 'network'>,
  limits: MessageLimits,
): Promise<{ full: boolean; held: boolean } | 'closed'> {
  await lockCreator(tx, uid);
  if (await isClosed(tx, uid)) return 'closed';
  const taken = (which: Prisma.Sql) => Prisma.sql`json_build_object('all', count(*) FILTER (WHERE ${which}),
    'ofAddress', count(*) FILTER (WHERE ${which} AND sender = ${sender}),
    'ofNetwork', count(*) FILTER (WHERE ${which} AND network = ${network}))`;
  const [known] = await tx.$queryRaw<[{ today: UsedRoom; waiting: UsedRoom }]>`
    SELECT ${taken(Prisma.sql`received_at > now() - interval '1 day'`)} AS today, ${taken(Prisma.sql`held`)} AS waiting
      FROM message WHERE creator_id = ${uid}::uuid`;
  const proved = emailVerified || (await tx.provedAddress.count({ where: { creatorId: uid, email } })) > 0;
  const isFree = hasRoom(limits.relayedPerDay, known.today, limits);
  return { full: !isFree || (!proved && !hasRoom(limits.held, known.waiting, limits)), held: !proved };
}

async function isClosed(tx: Prisma.TransactionClient, uid: string): Promise<boolean> {
  return (await tx.closedAccount.count({ where: { uid } })) > 0;
}

/** Makes transactions on one creator's messages wait for each other, so that each counts all messages. */
async function lockCreator(tx: Prisma.TransactionClient, creatorId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${creatorId}, 1))`;
}
