import { creators, type PublicTallies, type PublicTally } from '@stoa/contracts';
import { claimFirstDelivery, recordEvent } from '@stoa/messaging';
import { isDatabaseOutage } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { Database } from '../database.ts';
import type { Prisma } from '../generated/prisma/client.ts';

type Transaction = Prisma.TransactionClient;
type CountRow = { readonly count: number };

/** Stores the number of public offerings of each creator, as events of the offerings service report it. */
@Injectable()
export class OfferingCounts {
  constructor(private readonly prisma: Database) {}

  /** Stores a count and publishes it, unless a newer one is stored. The event id makes a repeated event harmless. */
  async store(creatorId: string, tally: PublicTally, eventId: string): Promise<void> {
    await this.prisma.$transaction(async (tx) => {
      if (!(await claimFirstDelivery(tx, eventId))) return;
      await lockCreator(tx, creatorId);
      if (await isClosed(tx, creatorId)) return;
      const counted = await upsert(tx, creatorId, tally);
      if (counted) await announce(tx, creatorId, counted);
    });
  }

  /**
   * Corrects those counts of a page that differ, unless a newer count is stored. Each creator has a separate transaction, so
   * that one error does not stop the others.
   * @returns the uids of the corrected creators
   * @throws the first error after the last count; immediately if the database is down
   */
  async correct({ after, upTo, asOf, counts }: PublicTallies, eventId: string): Promise<string[]> {
    if ((await this.prisma.inboxEntry.count({ where: { eventId } })) > 0) return [];
    const differing = await this.prisma.$queryRaw<{ creatorId: string; count: number }[]>`
      SELECT creator_id AS "creatorId", coalesce(announced.count, 0) AS count
        FROM unnest(${counts.map(({ creatorId }) => creatorId)}::uuid[], ${counts.map(({ count }) => count)}::int[])
          AS announced (creator_id, count)
        FULL JOIN (
          SELECT creator_id, count FROM offering_count
           WHERE (${after}::uuid IS NULL OR creator_id > ${after}::uuid)
             AND (${upTo}::uuid IS NULL OR creator_id <= ${upTo}::uuid)) AS known USING (creator_id)
       WHERE coalesce(known.count, 0) <> coalesce(announced.count, 0) ORDER BY creator_id`;
    const corrected: string[] = [];
    const failed: unknown[] = [];
    for (const one of differing)
      await this.#correctOne(one, asOf).then(
        (isCorrected) => isCorrected && corrected.push(one.creatorId),
        (error: unknown) => {
          if (isDatabaseOutage(error)) throw error;
          failed.push(error);
        },
      );
    if (failed.length > 0) throw failed[0];
    await claimFirstDelivery(this.prisma, eventId);
    return corrected;
  }

  #correctOne({ creatorId, count }: { creatorId: string; count: number }, asOf: number): Promise<boolean> {
    return this.prisma.$transaction(async (tx) => {
      await lockCreator(tx, creatorId);
      if (await isClosed(tx, creatorId)) return false;
      const [changed] = await tx.$queryRaw<CountRow[]>`
        INSERT INTO offering_count AS c (creator_id, count, as_of) VALUES (${creatorId}::uuid, ${count}, ${asOf})
        ON CONFLICT (creator_id) DO UPDATE SET count = excluded.count, as_of = excluded.as_of
         WHERE c.as_of <= ${asOf} AND c.count <> excluded.count RETURNING count`;
      if (changed) await announce(tx, creatorId, changed);
      return changed !== undefined;
    });
  }
}

/** Makes opening and closing an account wait for each other. Otherwise a late log-in could create a closed account again. */
export async function lockCreator(tx: Transaction, uid: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${uid}, 0))`;
}

async function isClosed(tx: Transaction, uid: string): Promise<boolean> {
  return (await tx.closedAccount.findUnique({ where: { uid } })) !== null;
}

async function upsert(tx: Transaction, creatorId: string, { count, asOf }: PublicTally) {
  const [counted] = await tx.$queryRaw<CountRow[]>`
    INSERT INTO offering_count AS c (creator_id, count, as_of) VALUES (${creatorId}::uuid, ${count}, ${asOf})
    ON CONFLICT (creator_id) DO UPDATE SET count = excluded.count, as_of = excluded.as_of
     WHERE c.as_of < excluded.as_of RETURNING count`;
  return counted;
}

async function announce(tx: Transaction, uid: string, { count }: CountRow): Promise<void> {
  await recordEvent(tx, creators.counted, { uid, offeringCount: count });
}
