import { offerings, type PublicTally } from '@stoa/contracts';
import { recordEvent } from '@stoa/messaging';
import { Injectable } from '@nestjs/common';
import { Database } from '../database.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { isPublicSql } from './public-offerings.repository.ts';

/** Creators in one event, which has some kilobytes. */
const pageSize = 100;
/** The shortest walk in pages: a small installation pauses after the last page instead of repeating the same counts. */
const minPagesPerWalk = 60;

/** The position of the walk through all creators, and the outbox number at the time of the previous page. */
interface Place {
  readonly after: string | null;
  readonly asOf: bigint;
}

/**
 * The number of a creator's public offerings, with an outbox number that orders it. The caller holds the creator's lock, so
 * that a later count has a higher number.
 */
export async function tallyOf(tx: Prisma.TransactionClient, creatorId: string): Promise<PublicTally> {
  const [row] = await tx.$queryRaw<[{ count: number; asOf: bigint }]>`
    SELECT count(*)::int AS count, (SELECT nextval(pg_get_serial_sequence('outbox', 'id'))) AS "asOf"
      FROM offering WHERE creator_id = ${creatorId}::uuid AND ${Prisma.raw(isPublicSql)}`;
  return { count: row.count, asOf: Number(row.asOf) };
}

/** Publishes the counts of public offerings, page by page through all creators; one replica at a time. */
@Injectable()
export class PublicCounts {
  constructor(private readonly prisma: Database) {}

  /** Publishes the next page, unless the previous one is less than `pauseMs` old. */
  async publishPage(pauseMs: number): Promise<void> {
    await this.prisma.$executeRaw`
      INSERT INTO public_count_walk (id, as_of, next_page_at) VALUES (1, 0, ${from(pauseMs)}) ON CONFLICT DO NOTHING`;
    await this.prisma.$transaction(async (tx) => {
      const [place] = await tx.$queryRaw<Place[]>`
        SELECT after, as_of AS "asOf" FROM public_count_walk WHERE next_page_at <= now() FOR UPDATE SKIP LOCKED`;
      if (!place) return;
      const { after } = place;
      const counts = await tx.$queryRaw<{ creatorId: string; count: number }[]>`
        SELECT creator_id AS "creatorId", count(*) FILTER (WHERE ${Prisma.raw(isPublicSql)})::int AS count FROM offering
         WHERE creator_id IN (
           SELECT DISTINCT creator_id FROM offering WHERE ${after}::uuid IS NULL OR creator_id > ${after}::uuid
            ORDER BY creator_id LIMIT ${pageSize})
         GROUP BY creator_id ORDER BY creator_id`;
      const upTo = counts.length < pageSize ? null : (counts.at(-1)?.creatorId ?? null);
      // The number is a pause old: transactions with a lower one have ended, and these counts include them.
      await recordEvent(tx, offerings.tallied, { after, upTo, asOf: Number(place.asOf), counts });
      await tx.$executeRaw`
        UPDATE public_count_walk
           SET after = ${upTo}::uuid, as_of = nextval(pg_get_serial_sequence('outbox', 'id')),
               began_at = CASE WHEN ${after}::uuid IS NULL THEN now() ELSE began_at END,
               next_page_at = CASE WHEN ${upTo}::uuid IS NULL
                 THEN GREATEST(${from(pauseMs)}, began_at + ${minPagesPerWalk * pauseMs}::float8 * interval '1 millisecond')
                 ELSE ${from(pauseMs)} END`;
    });
  }
}

const from = (ms: number) => Prisma.sql`now() + ${ms}::float8 * interval '1 millisecond'`;
