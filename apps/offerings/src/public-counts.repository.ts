import { offerings, type PublicTally } from '@stoa/contracts';
import { recordEvent } from '@stoa/messaging';
import { Prisma, type PrismaClient } from './generated/prisma/client.ts';
import { isPublic } from './public-offerings.repository.ts';

/** Creators in one event: some kilobytes. */
const pageSize = 100;
/** A walk that is done sooner rests, so that a small installation is not told the same all the time. */
const pagesPerWalk = 60;

/** What is due of the walk through all creators, and what was the last number when the page before was told. */
interface Place {
  readonly after: string | null;
  readonly asOf: bigint;
}

/**
 * How many offerings visitors see of a creator, in a transaction that has the creator's lock: numbers of the outbox grow,
 * and under the lock nobody else of this creator takes one.
 */
export async function tallyOf(tx: Prisma.TransactionClient, creatorId: string): Promise<PublicTally> {
  const [row] = await tx.$queryRaw<[{ count: number; asOf: bigint }]>`
    SELECT count(*)::int AS count, (SELECT nextval(pg_get_serial_sequence('outbox', 'id'))) AS "asOf"
      FROM offering WHERE creator_id = ${creatorId}::uuid AND ${Prisma.raw(isPublic)}`;
  return { count: row.count, asOf: Number(row.asOf) };
}

/** Tells of all creators how many of their offerings visitors see, page by page, one replica at a time. */
export class PublicCounts {
  constructor(private readonly prisma: PrismaClient) {}

  /** Tells the next page, unless that was done less than `pauseMs` ago. */
  async tellPage(pauseMs: number): Promise<void> {
    await this.prisma.$executeRaw`
      INSERT INTO public_count_walk (id, as_of, next_page_at) VALUES (1, 0, ${from(pauseMs)}) ON CONFLICT DO NOTHING`;
    await this.prisma.$transaction(async (tx) => {
      const [place] = await tx.$queryRaw<Place[]>`
        SELECT after, as_of AS "asOf" FROM public_count_walk WHERE next_page_at <= now() FOR UPDATE SKIP LOCKED`;
      if (!place) return;
      const { after } = place;
      const counts = await tx.$queryRaw<{ creatorId: string; count: number }[]>`
        SELECT creator_id AS "creatorId", count(*) FILTER (WHERE ${Prisma.raw(isPublic)})::int AS count FROM offering
         WHERE creator_id IN (
           SELECT DISTINCT creator_id FROM offering WHERE ${after}::uuid IS NULL OR creator_id > ${after}::uuid
            ORDER BY creator_id LIMIT ${pageSize})
         GROUP BY creator_id ORDER BY creator_id`;
      const upTo = counts.length < pageSize ? null : (counts.at(-1)?.creatorId ?? null);
      // Whoever took a number up to this one was done before the counts were read: that was a pause ago.
      await recordEvent(tx, offerings.tallied, { after, upTo, asOf: Number(place.asOf), counts });
      await tx.$executeRaw`
        UPDATE public_count_walk
           SET after = ${upTo}::uuid, as_of = nextval(pg_get_serial_sequence('outbox', 'id')),
               began_at = CASE WHEN ${after}::uuid IS NULL THEN now() ELSE began_at END,
               next_page_at = CASE WHEN ${upTo}::uuid IS NULL
                 THEN GREATEST(${from(pauseMs)}, began_at + ${pagesPerWalk * pauseMs}::float8 * interval '1 millisecond')
                 ELSE ${from(pauseMs)} END`;
    });
  }
}

const from = (ms: number) => Prisma.sql`now() + ${ms}::float8 * interval '1 millisecond'`;
