import { creators, type PublicTallies, type PublicTally } from '@stoa/contracts';
import { claimFirstDelivery, recordEvent } from '@stoa/messaging';
import { isDatabaseOutage } from '@stoa/platform';
import type { Prisma, PrismaClient } from './generated/prisma/client.ts';

type Transaction = Prisma.TransactionClient;
type Counted = { readonly count: number };

/** How many offerings visitors see of each creator, by what the service of offerings tells. */
export class OfferingCounts {
  constructor(private readonly prisma: PrismaClient) {}

  /** Notes a count unless a newer one is known, or how many more they are; once for each event. */
  async count(creatorId: string, told: PublicTally | number, eventId: string): Promise<void> {
    await this.prisma.$transaction(async (tx) => {
      if (!(await claimFirstDelivery(tx, eventId))) return;
      await lock(tx, creatorId);
      if (await isClosed(tx, creatorId)) return;
      const counted =
        typeof told === 'number' ? await add(tx, creatorId, told) : await set(tx, creatorId, told);
      if (counted) await announce(tx, creatorId, counted);
    });
  }

  /**
   * Mends counts that differ from what a page of creators tells, unless something newer is known of them; once for each event.
   * Each creator by itself: one that cannot be mended keeps none of the others from it.
   *
   * @returns whose they were.
   * @throws what the first of those that failed threw, once the others are mended.
   */
  async mend({ after, upTo, asOf, counts }: PublicTallies, eventId: string): Promise<string[]> {
    if ((await this.prisma.inboxEntry.count({ where: { eventId } })) > 0) return [];
    const odd = await this.prisma.$queryRaw<{ creatorId: string; count: number }[]>`
      SELECT creator_id AS "creatorId", coalesce(told.count, 0) AS count
        FROM unnest(${counts.map(({ creatorId }) => creatorId)}::uuid[], ${counts.map(({ count }) => count)}::int[])
          AS told (creator_id, count)
        FULL JOIN (
          SELECT creator_id, count FROM offering_count
           WHERE (${after}::uuid IS NULL OR creator_id > ${after}::uuid)
             AND (${upTo}::uuid IS NULL OR creator_id <= ${upTo}::uuid)) AS known USING (creator_id)
       WHERE coalesce(known.count, 0) <> coalesce(told.count, 0) ORDER BY creator_id`;
    const mended: string[] = [];
    const failed: unknown[] = [];
    for (const one of odd)
      await this.#mendOne(one, asOf).then(
        (isMended) => isMended && mended.push(one.creatorId),
        (error: unknown) => {
          if (isDatabaseOutage(error)) throw error;
          failed.push(error);
        },
      );
    if (failed.length > 0) throw failed[0];
    await claimFirstDelivery(this.prisma, eventId);
    return mended;
  }

  #mendOne({ creatorId, count }: { creatorId: string; count: number }, asOf: number): Promise<boolean> {
    return this.prisma.$transaction(async (tx) => {
      await lock(tx, creatorId);
      if (await isClosed(tx, creatorId)) return false;
      const [changed] = await tx.$queryRaw<Counted[]>`
        INSERT INTO offering_count AS c (creator_id, count, as_of) VALUES (${creatorId}::uuid, ${count}, ${asOf})
        ON CONFLICT (creator_id) DO UPDATE SET count = excluded.count, as_of = excluded.as_of
         WHERE c.as_of <= ${asOf} AND c.count <> excluded.count RETURNING count`;
      if (changed) await announce(tx, creatorId, changed);
      return changed !== undefined;
    });
  }
}

/** Making, counting and closing go one after the other, or a late sign-in could bring back what is gone. */
export async function lock(tx: Transaction, uid: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${uid}, 0))`;
}

async function isClosed(tx: Transaction, uid: string): Promise<boolean> {
  return (await tx.closedAccount.findUnique({ where: { uid } })) !== null;
}

async function set(tx: Transaction, creatorId: string, { count, asOf }: PublicTally) {
  const [counted] = await tx.$queryRaw<Counted[]>`
    INSERT INTO offering_count AS c (creator_id, count, as_of) VALUES (${creatorId}::uuid, ${count}, ${asOf})
    ON CONFLICT (creator_id) DO UPDATE SET count = excluded.count, as_of = excluded.as_of
     WHERE c.as_of < excluded.as_of RETURNING count`;
  return counted;
}

/** As publishers of the release before tell it. What comes twice beside a count that is told is mended later. */
function add(tx: Transaction, creatorId: string, change: number): Promise<Counted> {
  const update = { count: { increment: change } };
  return tx.offeringCount.upsert({ where: { creatorId }, create: { creatorId, count: change }, update });
}

async function announce(tx: Transaction, uid: string, { count }: Counted): Promise<void> {
  await recordEvent(tx, creators.counted, { uid, offeringCount: count });
}
