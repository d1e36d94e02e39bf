import { randomUUID } from 'node:crypto';
import { Prisma, type PrismaClient } from './generated/prisma/client.ts';

/** Which card it is, and whose. */
export interface CardRow {
  readonly path: string;
  readonly uid: string;
  /** The offering, or the creator for the card of the profile. */
  readonly ownerId: string;
}

/** All cards of an account, or those of a profile or an offering. */
export type CardsOf = { readonly uid: string } | { readonly ownerId: string };

/** For so long a card is kept that may show what was changed: longer than an address that led to it is kept anywhere. */
export const outdatedMs = 60 * 60_000;
/** Longer than an event waits for its turn, those that failed and are handled by a person's word among them. */
const knownMs = 30 * 24 * 60 * 60_000;

/** Cards, each a row that says how far it has come. Times are by the clock of the database. */
export class PreviewCards {
  private readonly replica = randomUUID();

  constructor(private readonly prisma: PrismaClient) {}

  /**
   * Keeps a card for `keptMs` from now on, and takes it to be drawn for `leaseMs` unless it is: `drawn` where it lies
   * there, `ours` where it is to be drawn by who asks, `elsewhere` while another replica draws or removes it, `withdrawn`
   * where there shall be none.
   */
  async take(
    { path, uid, ownerId }: CardRow,
    { keptMs, leaseMs, anew }: { keptMs: number; leaseMs: number; anew: boolean },
  ): Promise<'drawn' | 'ours' | 'elsewhere' | 'withdrawn'> {
    if (await this.isWithdrawn({ uid, ownerId })) return 'withdrawn';
    const [row] = await this.prisma.$queryRaw<{ drawn: boolean }[]>`
      INSERT INTO preview_card AS c (path, uid, owner_id, drawing_by, drawing_until, remove_after)
      VALUES (${path}, ${uid}::uuid, ${ownerId}::uuid, ${this.replica}::uuid, ${from(leaseMs)}, ${from(keptMs)})
      ON CONFLICT (path) DO UPDATE
         SET remove_after = excluded.remove_after,
             drawn_at = CASE WHEN ${anew}::boolean THEN NULL ELSE c.drawn_at END,
             drawing_by = CASE WHEN c.drawn_at IS NULL OR ${anew}::boolean THEN excluded.drawing_by END,
             drawing_until = CASE WHEN c.drawn_at IS NULL OR ${anew}::boolean THEN excluded.drawing_until END
       WHERE c.removing_until IS NULL
         AND (c.drawing_until IS NULL OR c.drawing_until <= now() OR c.drawing_by = excluded.drawing_by)
      RETURNING drawn_at IS NOT NULL AS drawn`;
    if (!row) return 'elsewhere';
    return row.drawn ? 'drawn' : 'ours';
  }

  /**
   * A card lies there: those that its owner had before go in `displacedMs`.
   *
   * @returns whether it counts: not when its lease ran out and it was removed meanwhile.
   */
  async end({ path, uid, ownerId }: CardRow, displacedMs: number): Promise<boolean> {
    // Withdrawn while it was drawn: it goes with the next sweep.
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

  /** It could not be drawn: whoever asks next tries again. */
  async abandon({ path }: CardRow): Promise<void> {
    await this.prisma.$executeRaw`
      UPDATE preview_card SET drawing_by = NULL, drawing_until = NULL
       WHERE path = ${path} AND drawing_by = ${this.replica}::uuid`;
  }

  /** Draws none of these for `ms`, and lets go of those there are; unless something later was said of them. */
  async withdraw(of: CardsOf, position: bigint, ms: number): Promise<void> {
    const owner = 'uid' in of ? of.uid : of.ownerId;
    if (!(await this.put(owner, position, ms))) return;
    const which =
      'uid' in of ? Prisma.sql`uid = ${of.uid}::uuid` : Prisma.sql`owner_id = ${of.ownerId}::uuid`;
    await this.prisma.$executeRaw`
      UPDATE preview_card SET remove_after = now() WHERE ${which} AND remove_after > now()`;
  }

  /** Draws cards of these again, unless something later was said of them. */
  async allow(ownerId: string, position: bigint): Promise<void> {
    await this.put(ownerId, position, 0);
  }

  async forgetWithdrawn(): Promise<void> {
    await this.prisma.$executeRaw`
      DELETE FROM withdrawn_card WHERE until <= now() AND (known_until IS NULL OR known_until <= now())`;
  }

  /** Takes up to `most` cards whose time is over, to remove them for `leaseMs`; none that is being drawn. */
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

  /** The store refuses to remove it: the next try comes in `ms`. */
  async putOffRemoval(path: string, ms: number): Promise<void> {
    await this.prisma.$executeRaw`
      UPDATE preview_card SET removing_until = ${from(ms)} WHERE path = ${path} AND removing_until IS NOT NULL`;
  }

  /** Forgets a card whose object is removed. */
  async endRemoval(path: string): Promise<void> {
    await this.prisma.previewCard.deleteMany({ where: { path, removingUntil: { not: null } } });
  }

  /** Whether it counts. What was said last is said again with each repeat of its event. */
  private async put(ownerId: string, position: bigint, withdrawnMs: number): Promise<boolean> {
    const put = await this.prisma.$executeRaw`
      INSERT INTO withdrawn_card AS c (owner_id, until, position, known_until)
      VALUES (${ownerId}::uuid, ${from(withdrawnMs)}, ${position}, ${from(knownMs)})
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
