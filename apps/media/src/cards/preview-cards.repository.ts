import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Database } from '../database.ts';
import { Prisma } from '../generated/prisma/client.ts';

/** A card and its owner. */
export interface CardRow {
  readonly path: string;
  readonly uid: string;
  /** The offering, or the creator for the card of the profile. */
  readonly ownerId: string;
}

/** All cards of an account, or those of a profile or an offering. */
export type CardSelection = { readonly uid: string } | { readonly ownerId: string };

/** How long an outdated card is kept: longer than any cache keeps an address that led to it. */
export const outdatedRetentionMs = 60 * 60_000;
/** Longer than any event is delayed, including dead letters that an operator replays. */
const positionRetentionMs = 30 * 24 * 60 * 60_000;

/** The cards with their states. Times are by the database's clock. */
@Injectable()
export class PreviewCards {
  private readonly replica = randomUUID();

  constructor(private readonly prisma: Database) {}

  /**
   * Keeps a card for `retentionMs`, and leases it for `leaseMs` if it must be drawn. Returns `drawn` when the
   * object exists, `ours` when the caller must draw it, and `elsewhere` while another replica draws or
   * removes it. `withdrawn` means that no card may exist.
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
   * Records that the card is stored, and expires the owner's other cards in `displacedMs`.
   *
   * @returns false when the lease ended and the card was removed in that time
   */
  async end({ path, uid, ownerId }: CardRow, displacedMs: number): Promise<boolean> {
    // A card withdrawn during its drawing is removed by the next sweep.
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

  /** Releases a card that could not be drawn. The next request tries again. */
  async abandon({ path }: CardRow): Promise<void> {
    await this.prisma.$executeRaw`
      UPDATE preview_card SET drawing_by = NULL, drawing_until = NULL
       WHERE path = ${path} AND drawing_by = ${this.replica}::uuid`;
  }

  /**
   * Stops the drawing of these cards for `ms` and expires the existing ones, unless a later event is known.
   */
  async withdraw(of: CardSelection, position: bigint, ms: number): Promise<void> {
    const owner = 'uid' in of ? of.uid : of.ownerId;
    if (!(await this.recordDecision(owner, position, ms))) return;
    const which =
      'uid' in of ? Prisma.sql`uid = ${of.uid}::uuid` : Prisma.sql`owner_id = ${of.ownerId}::uuid`;
    await this.prisma.$executeRaw`
      UPDATE preview_card SET remove_after = now() WHERE ${which} AND remove_after > now()`;
  }

  /** Allows cards of this owner again, unless a later event is known. */
  async allow(ownerId: string, position: bigint): Promise<void> {
    await this.recordDecision(ownerId, position, 0);
  }

  async deleteExpiredWithdrawals(): Promise<void> {
    await this.prisma.$executeRaw`
      DELETE FROM withdrawn_card WHERE until <= now() AND known_until <= now()`;
  }

  /** Leases up to `most` expired cards for removal, none of which is being drawn. */
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

  /** Postpones a removal that the store refused. */
  async putOffRemoval(path: string, ms: number): Promise<void> {
    await this.prisma.$executeRaw`
      UPDATE preview_card SET removing_until = ${from(ms)} WHERE path = ${path} AND removing_until IS NOT NULL`;
  }

  /** Deletes the row of a card whose object is removed. */
  async endRemoval(path: string): Promise<void> {
    await this.prisma.previewCard.deleteMany({ where: { path, removingUntil: { not: null } } });
  }

  /** Records a decision and returns whether it was the latest. A repeated event records the same again. */
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

/** Expires the cards of a record or an account that may be outdated, unless they are requested again. */
export async function expireOutdatedCards(
  tx: Pick<Prisma.TransactionClient, '$executeRaw'>,
  id: string,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE preview_card SET remove_after = ${from(outdatedRetentionMs)}
     WHERE remove_after > ${from(outdatedRetentionMs)} AND (uid = ${id}::uuid OR owner_id = ${id}::uuid)`;
}
