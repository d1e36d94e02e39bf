import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Database } from '../database.ts';
import { Prisma } from '../generated/prisma/client.ts';

export interface CardRow {
  readonly path: string;
  readonly uid: string;
  /** Id of the offering on the card, or of the creator for the card of a profile. */
  readonly ownerId: string;
}

/** By `uid`: all cards of an account. By `ownerId`: those of a profile or an offering. */
export type CardSelection = { readonly uid: string } | { readonly ownerId: string };

/** Milliseconds for which an outdated card is kept: longer than any cache keeps a page that links to it. */
export const outdatedRetentionMs = 60 * 60_000;
/** Milliseconds for which a decision is remembered: longer than any event is late, even a replayed one. */
const positionRetentionMs = 30 * 24 * 60 * 60_000;

/** Stores the state of each card, and all times by the database's clock. */
@Injectable()
export class PreviewCards {
  private readonly replica = randomUUID();

  constructor(private readonly prisma: Database) {}

  /**
   * Keeps a card for `retentionMs`, and leases it for `leaseMs` if it must be drawn. `drawn`: the object
   * exists. `ours`: the caller must draw it. `elsewhere`: another replica draws or removes it. `withdrawn`:
   * no card may exist.
   */
  async take(
    { path, uid, ownerId }: CardRow,
    { retentionMs, leaseMs, redraw }: { retentionMs: number; leaseMs: number; redraw: boolean },
  ): Promise<'drawn' | 'ours' | 'elsewhere' | 'withdrawn'> {
    if (await this.isWithdrawn({ uid, ownerId })) return 'withdrawn';
    const [row] = await this.prisma.$queryRaw<{ drawn: boolean }[]>`
      INSERT INTO preview_card AS c (path, uid, owner_id, drawing_by, drawing_until, remove_after)
      VALUES (${path}, ${uid}::uuid, ${ownerId}::uuid, ${this.replica}::uuid, ${from(leaseMs)}, ${from(retentionMs)})
      ON CONFLICT (path) DO UPDATE
         SET remove_after = excluded.remove_after,
             drawn_at = CASE WHEN ${redraw}::boolean THEN NULL ELSE c.drawn_at END,
             drawing_by = CASE WHEN c.drawn_at IS NULL OR ${redraw}::boolean THEN excluded.drawing_by END,
             drawing_until = CASE WHEN c.drawn_at IS NULL OR ${redraw}::boolean THEN excluded.drawing_until END
       WHERE c.removing_until IS NULL
         AND (c.drawing_until IS NULL OR c.drawing_until <= now() OR c.drawing_by = excluded.drawing_by)
      RETURNING drawn_at IS NOT NULL AS drawn`;
    if (!row) return 'elsewhere';
    return row.drawn ? 'drawn' : 'ours';
  }

  /**
   * Records that the object is stored. Other cards of the same page expire in `displacedMs`.
   * @returns false if another replica has removed the card since
   */
  async end({ path, uid, ownerId }: CardRow, displacedMs: number): Promise<boolean> {
    // If the page was withdrawn during the drawing, the card expires now and the sweeper removes it.
    const ended = await this.prisma.$executeRaw`
      UPDATE preview_card
         SET drawn_at = now(), drawing_by = NULL, drawing_until = NULL,
             remove_after = CASE WHEN ${await this.isWithdrawn({ uid, ownerId })} THEN now() ELSE remove_after END
       WHERE path = ${path} AND removing_until IS NULL`;
    await this.prisma.$executeRaw`
      UPDATE preview_card SET remove_after = LEAST(remove_after, ${from(displacedMs)})
       WHERE owner_id = ${ownerId}::uuid AND path <> ${path}`;
    return ended === 1;
  }

  /** Ends the lease of a card that could not be drawn, so that the next request tries again. */
  async abandon({ path }: CardRow): Promise<void> {
    await this.prisma.$executeRaw`
      UPDATE preview_card SET drawing_by = NULL, drawing_until = NULL
       WHERE path = ${path} AND drawing_by = ${this.replica}::uuid`;
  }

  /** Forbids these cards for `ms` and makes existing ones expire, unless a later event is recorded. */
  async withdraw(of: CardSelection, position: bigint, ms: number): Promise<void> {
    const owner = 'uid' in of ? of.uid : of.ownerId;
    if (!(await this.recordDecision(owner, position, ms))) return;
    const which =
      'uid' in of ? Prisma.sql`uid = ${of.uid}::uuid` : Prisma.sql`owner_id = ${of.ownerId}::uuid`;
    await this.prisma.$executeRaw`
      UPDATE preview_card SET remove_after = now() WHERE ${which} AND remove_after > now()`;
  }

  /** Allows cards of this page again, unless a later event is recorded. */
  async allow(ownerId: string, position: bigint): Promise<void> {
    await this.recordDecision(ownerId, position, 0);
  }

  async deleteExpiredWithdrawals(): Promise<void> {
    await this.prisma.$executeRaw`
      DELETE FROM withdrawn_card WHERE until <= now() AND known_until <= now()`;
  }

  /** Leases up to `most` expired cards for removal, except cards that a replica is drawing. */
  beginRemoval(most: number, leaseMs: number): Promise<{ path: string }[]> {
    return this.prisma.$queryRaw`
      UPDATE preview_card SET removing_until = ${from(leaseMs)}
       WHERE path IN (
         SELECT path FROM preview_card
          WHERE remove_after <= now() AND (removing_until IS NULL OR removing_until <= now())
            AND (drawing_until IS NULL OR drawing_until <= now())
          ORDER BY remove_after LIMIT ${most} FOR UPDATE SKIP LOCKED)
      RETURNING path`;
  }

  /** Schedules the next attempt after the store refused to remove the object. */
  async putOffRemoval(path: string, ms: number): Promise<void> {
    await this.prisma.$executeRaw`
      UPDATE preview_card SET removing_until = ${from(ms)} WHERE path = ${path} AND removing_until IS NOT NULL`;
  }

  async endRemoval(path: string): Promise<void> {
    await this.prisma.previewCard.deleteMany({ where: { path, removingUntil: { not: null } } });
  }

  /** Records a decision, unless a later one is recorded. Returns whether it was recorded. */
  private async recordDecision(ownerId: string, position: bigint, withdrawnMs: number): Promise<boolean> {
    const put = await this.prisma.$executeRaw`
      INSERT INTO withdrawn_card AS c (owner_id, until, position, known_until)
      VALUES (${ownerId}::uuid, ${from(withdrawnMs)}, ${position}, ${from(positionRetentionMs)})
      ON CONFLICT (owner_id) DO UPDATE
         SET until = excluded.until, position = excluded.position, known_until = excluded.known_until
       WHERE c.position <= excluded.position`;
    return put === 1;
  }

  private async isWithdrawn({ uid, ownerId }: Omit<CardRow, 'path'>): Promise<boolean> {
    const rows = await this.prisma.$queryRaw<unknown[]>`
      SELECT 1 FROM withdrawn_card WHERE owner_id IN (${uid}::uuid, ${ownerId}::uuid) AND until > now()`;
    return rows.length > 0;
  }
}

const from = (ms: number) => Prisma.sql`now() + ${ms}::float8 * interval '1 millisecond'`;

/** Makes the cards of a page or an account expire, because they may be outdated. A request keeps a card. */
export async function expireOutdatedCards(
  tx: Pick<Prisma.TransactionClient, '$executeRaw'>,
  id: string,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE preview_card SET remove_after = ${from(outdatedRetentionMs)}
     WHERE remove_after > ${from(outdatedRetentionMs)} AND (uid = ${id}::uuid OR owner_id = ${id}::uuid)`;
}
