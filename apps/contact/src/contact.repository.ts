import { contact, type ContactMessage, type Mailbox, type ReceivedMessage } from '@stoa/contracts';
import { claimFirstDelivery, recordEvent } from '@stoa/messaging';
import { clientOptions, ownPool, poolOptions, ServicePool } from '@stoa/platform';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { PrismaPg } from '@prisma/adapter-pg';
import { CheckedLinks } from './checked-links.repository.ts';
import { ContactConfig } from './contact.config.ts';
import { hasRoom, type SourceParts, type Taken } from './fair-room.ts';
import { Prisma, PrismaClient } from './generated/prisma/client.ts';

/** A message as it is kept: `sender` and `network` are hashes of where it came from, `to` is null for the operator. */
export type StoredMessage = ContactMessage & { sender: string; network: string; to: Mailbox | null };

/** A message on its way, and how often it was tried, this time included. */
export type UnsentMessage = Omit<StoredMessage, 'sender' | 'network'> & { attempts: number };

/** What became of a message: `known` when its id was stored before. */
export type StoreOutcome =
  | { kind: 'stored' }
  | { kind: 'known' }
  | { kind: 'refused'; waitSeconds: number }
  /** There is no room for the creator's messages, or this source has its share of it. */
  | { kind: 'full' }
  /** The creator's account is gone. */
  | { kind: 'closed' };

/** How many messages may come from one sender and go to one creator. */
export interface MessageLimits extends SourceParts {
  /** From one sender to one recipient, and to all of them. */
  readonly perHour: number;
  readonly perHourInAll: number;
  /** Recipients of one text from one sender. */
  readonly sameText: number;
  readonly relayedPerDay: number;
  readonly held: number;
}

// A flood must not be walked through at every export of metrics.
const countedMessages = 10_000;
/** Rows in one statement of a sweep. */
const sweptAtOnce = 5000;

@Injectable()
export class ContactRepository implements OnApplicationShutdown {
  readonly links: CheckedLinks;
  private readonly prisma: PrismaClient;

  constructor(config: ContactConfig) {
    this.prisma = new PrismaClient({
      adapter: new PrismaPg(new ServicePool(poolOptions(config)), ownPool),
      ...clientOptions,
    });
    this.links = new CheckedLinks(this.prisma);
  }

  /**
   * Stores a message, once for each id. Refuses it when its sender had enough stored within the hour, and says in how
   * many seconds they may write again; or when the creator has been written to enough.
   */
  async store(
    { id, sender, network, to, ...text }: StoredMessage,
    limits: MessageLimits,
  ): Promise<StoreOutcome> {
    return this.prisma.$transaction(async (tx) => {
      // A sender's messages one after the other, in all replicas: side by side none would count the others.
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${sender}, 0))`;
      if (await tx.message.findUnique({ where: { id }, select: { id: true } })) return { kind: 'known' };
      const waitSeconds = await waitOf(tx, sender, to?.uid ?? null, text.message, limits);
      if (waitSeconds !== null) return { kind: 'refused', waitSeconds };
      const room = to ? await roomFor(tx, to, { sender, network }, limits) : { full: false, held: false };
      if (room === 'closed') return { kind: 'closed' };
      if (room.full) return { kind: 'full' };
      // By the database's clock, which is one for all replicas; Prisma would write its own.
      const rows = await tx.$executeRaw`
        INSERT INTO message (id, name, email, subject, message, sender, network, creator_id, held, "to")
        VALUES (${id}::uuid, ${text.name}, ${text.email}, ${text.subject}, ${text.message}, ${sender}, ${network},
                ${to?.uid ?? null}::uuid, ${room.held}, ${to && JSON.stringify(to)}::jsonb)
        ON CONFLICT DO NOTHING`;
      return { kind: rows === 1 ? 'stored' : 'known' };
    });
  }

  /**
   * Takes the next unsent message and puts off its next try by `leaseMs`, so that no other replica sends it
   * meanwhile and a crash only delays it. Null when nothing is due. The column keeps whole milliseconds, rounded: what
   * was put there a moment ago may lie a little ahead.
   */
  async leaseUnsent(leaseMs: number): Promise<UnsentMessage | null> {
    const rows = await this.prisma.$queryRaw<UnsentMessage[]>`
      UPDATE message SET attempts = attempts + 1,
             next_try_at = now() + ${leaseMs}::float8 * interval '1 millisecond'
       WHERE id = (SELECT id FROM message
                    WHERE mailed_at IS NULL AND NOT held AND next_try_at < now() + interval '1 millisecond'
                    ORDER BY next_try_at LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING id, name, email, subject, message, "to", attempts`;
    return rows[0] ?? null;
  }

  /** A message that was refused once stays so until it is mailed: an outage in between says nothing of its mailbox. */
  async retryIn(id: string, ms: number, refused: boolean): Promise<void> {
    // By the database's clock, as it is taken again.
    await this.prisma.$executeRaw`
      UPDATE message SET next_try_at = now() + ${ms}::float8 * interval '1 millisecond', refused = refused OR ${refused}
       WHERE id = ${id}::uuid`;
  }

  /**
   * For how many seconds the oldest unsent message has waited, 0 when none does. A creator's mailbox that is gone is
   * left out; the operator's would lose all of their mail.
   */
  async oldestUnsent(): Promise<number> {
    const [oldest] = await this.prisma.$queryRaw<{ age: number }[]>`
      SELECT coalesce(extract(epoch FROM now() - min(received_at)), 0)::float8 AS age
        FROM (SELECT received_at FROM message
               WHERE mailed_at IS NULL AND NOT held AND (creator_id IS NULL OR NOT refused)
               ORDER BY next_try_at LIMIT ${countedMessages}) AS waiting`;
    return oldest?.age ?? 0;
  }

  countHeld(creatorId: string): Promise<number> {
    return this.prisma.message.count({ where: { creatorId, held: true } });
  }

  /**
   * The messages to a creator, mailed or waiting, the oldest first: what comes meanwhile moves no page. Pages begin after a
   * message rather than at a number, since the sweeper deletes the oldest meanwhile.
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
   * Lets go what waited for this address to be proved, and answers how many messages that were; none where a later address is
   * known to be proved, since an older event may come later.
   */
  async release(creatorId: string, email: string, at: string): Promise<number> {
    return this.prisma.$transaction(async (tx) => {
      await oneAtATime(tx, creatorId);
      // What was proved before the account was closed may be told after it.
      if (await isClosed(tx, creatorId)) return 0;
      const noted = await tx.$executeRaw`
        INSERT INTO proved_address AS known (creator_id, email, proved_at)
        VALUES (${creatorId}::uuid, ${email}, ${new Date(at)})
        ON CONFLICT (creator_id) DO UPDATE SET email = excluded.email, proved_at = excluded.proved_at
         WHERE known.proved_at IS NULL OR known.proved_at <= excluded.proved_at`;
      if (noted === 0) return 0;
      return tx.$executeRaw`
        UPDATE message
           SET held = false, next_try_at = now(), "to" = jsonb_set("to", '{email}', to_jsonb(${email}::text))
         WHERE creator_id = ${creatorId}::uuid AND held`;
    });
  }

  async markMailed(id: string): Promise<void> {
    await this.prisma.message.updateMany({ where: { id }, data: { mailedAt: new Date() } });
  }

  /**
   * Forgets where messages came from once no limit counts them, relayed messages `relayedDays` after they came, and messages
   * to the operator `operatorDays` after they were mailed; a part of each at a time, so that no statement lasts.
   * Messages to the operator count for an hour, those to creators for a day and as long as they wait.
   */
  async sweep(relayedDays: number, operatorDays: number, signal: AbortSignal): Promise<void> {
    const parts = [
      Prisma.sql`UPDATE message SET sender = NULL, network = NULL WHERE id = ANY (ARRAY(
        SELECT id FROM message
         WHERE sender IS NOT NULL AND NOT held AND received_at <= now() - interval '1 hour'
           AND (creator_id IS NULL OR received_at <= now() - interval '1 day') LIMIT ${sweptAtOnce}))`,
      Prisma.sql`DELETE FROM message WHERE id = ANY (ARRAY(
        SELECT id FROM message
         WHERE creator_id IS NOT NULL AND received_at <= now() - ${relayedDays}::int * interval '1 day' LIMIT ${sweptAtOnce}))`,
      Prisma.sql`DELETE FROM message WHERE id = ANY (ARRAY(
        SELECT id FROM message
         WHERE creator_id IS NULL AND mailed_at <= now() - ${operatorDays}::int * interval '1 day' LIMIT ${sweptAtOnce}))`,
    ];
    for (const part of parts)
      while (!signal.aborted && (await this.prisma.$executeRaw(part)) === sweptAtOnce);
  }

  /**
   * Forgets every message to a creator and from the address that they proved, mailed or waiting, and that address; and
   * remembers that there shall be none.
   */
  async close(creatorId: string, at: string, eventId: string): Promise<void> {
    await this.prisma.$transaction(async (tx) => {
      if (!(await claimFirstDelivery(tx, eventId))) return;
      await oneAtATime(tx, creatorId);
      await tx.closedAccount.createMany({ data: [{ uid: creatorId, closedAt: at }], skipDuplicates: true });
      const received = await tx.message.deleteMany({ where: { creatorId } });
      const proved = await tx.provedAddress.findUnique({ where: { creatorId } });
      // Of an address that nobody proved the account may not be the sender. Prisma's insensitive mode is ILIKE, to which
      // an underscore in an address is any letter.
      const sent = proved
        ? await tx.$executeRaw`DELETE FROM message WHERE lower(email) = lower(${proved.email})`
        : 0;
      await tx.provedAddress.deleteMany({ where: { creatorId } });
      await tx.linkedPage.deleteMany({ where: { uid: creatorId } });
      const counts = { messagesReceived: received.count, messagesSent: sent };
      await recordEvent(tx, contact.erased, { uid: creatorId, counts });
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.prisma.$disconnect();
  }
}

/**
 * In how many seconds `sender` may write this to that creator, or to the operator; null for at once. A text that goes to
 * one after the other is an advertisement, however few there are of it.
 */
async function waitOf(
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

/** Whether a creator has been written to enough, and whether a message to them has to wait; or that they are gone. */
async function roomFor(
  tx: Prisma.TransactionClient,
  { uid, email, emailVerified }: Mailbox,
  { sender, network }: Pick<StoredMessage, 'sender' | 'network'>,
  limits: MessageLimits,
): Promise<{ full: boolean; held: boolean } | 'closed'> {
  await oneAtATime(tx, uid);
  if (await isClosed(tx, uid)) return 'closed';
  const taken = (which: Prisma.Sql) => Prisma.sql`json_build_object('all', count(*) FILTER (WHERE ${which}),
    'ofAddress', count(*) FILTER (WHERE ${which} AND sender = ${sender}),
    'ofNetwork', count(*) FILTER (WHERE ${which} AND network = ${network}))`;
  const [known] = await tx.$queryRaw<[{ today: Taken; waiting: Taken }]>`
    SELECT ${taken(Prisma.sql`received_at > now() - interval '1 day'`)} AS today, ${taken(Prisma.sql`held`)} AS waiting
      FROM message WHERE creator_id = ${uid}::uuid`;
  const proved = emailVerified || (await tx.provedAddress.count({ where: { creatorId: uid, email } })) > 0;
  const isFree = hasRoom(limits.relayedPerDay, known.today, limits);
  return { full: !isFree || (!proved && !hasRoom(limits.held, known.waiting, limits)), held: !proved };
}

async function isClosed(tx: Prisma.TransactionClient, uid: string): Promise<boolean> {
  return (await tx.closedAccount.count({ where: { uid } })) > 0;
}

/** What concerns a creator's messages, in all replicas: side by side neither would see what the other did. */
async function oneAtATime(tx: Prisma.TransactionClient, creatorId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${creatorId}, 1))`;
}
