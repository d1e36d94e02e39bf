import { Injectable } from '@nestjs/common';
import { Database } from '../database.ts';
import { Prisma } from '../generated/prisma/client.ts';

/** A page whose objects may be withdrawn. `ownerId` is the offering's id, or the uid for a profile. */
export interface Page {
  readonly ownerId: string;
  readonly uid: string;
}

/** A position higher than that of any decision, for closed accounts. */
export const lastPosition = 2n ** 63n - 1n;

/**
 * Milliseconds for which the decision about a removed page is kept: longer than removing its objects takes.
 */
const retentionMs = 7 * 24 * 60 * 60_000;
const deletionBatch = 100;
/** The sweeper waits this long, because the replica that records a decision writes the list immediately. */
const headStart = Prisma.sql`interval '1 second'`;

const listed = Prisma.sql`
  INSERT INTO withdrawal_list AS list (uid, due_at) SELECT DISTINCT uid, now() FROM noted
  ON CONFLICT (uid) DO UPDATE SET version = list.version + 1, due_at = now()`;

/** Stores which pages are withdrawn and which lists are due. All times are by the database's clock. */
@Injectable()
export class Withdrawals {
  constructor(private readonly prisma: Database) {}

  /** Records a decision about a page, unless a later one is recorded. */
  async decide({ ownerId, uid }: Page, withdrawn: boolean, position: bigint): Promise<void> {
    await this.prisma.$executeRaw`
      WITH used AS (
        SELECT coalesce(array_agg(upload_id), '{}') AS ids FROM attachment
         WHERE owner_id = ${ownerId}::uuid AND upload_id IS NOT NULL AND ${withdrawn}::boolean),
      noted AS (
        INSERT INTO withdrawal AS known (owner_id, uid, withdrawn, upload_ids, position)
        SELECT ${ownerId}::uuid, ${uid}::uuid, ${withdrawn}::boolean, used.ids, ${position}::bigint FROM used
         WHERE NOT EXISTS (
           SELECT FROM withdrawal WHERE owner_id = ${uid}::uuid AND position = ${lastPosition}::bigint)
        ON CONFLICT (owner_id) DO UPDATE
           SET withdrawn = excluded.withdrawn, upload_ids = excluded.upload_ids, position = excluded.position
         WHERE known.position < excluded.position
        RETURNING uid)
      ${listed}`;
  }

  /** Withdraws all objects of a closed account until they are removed. */
  async close(uid: string): Promise<void> {
    await this.decide({ ownerId: uid, uid }, true, lastPosition);
    await this.prisma.$executeRaw`
      UPDATE withdrawal SET forget_after = ${from(retentionMs)} WHERE uid = ${uid}::uuid`;
  }

  /** Schedules the deletion of the decision about a removed offering, for when its objects are removed. */
  async forgetOffering(ownerId: string): Promise<void> {
    await this.prisma.$executeRaw`
      UPDATE withdrawal SET forget_after = ${from(retentionMs)}
       WHERE owner_id = ${ownerId}::uuid AND forget_after IS NULL`;
  }

  /** Leases the list of an account for writing; null if another replica writes it. */
  async take(uid: string, leaseMs: number): Promise<{ version: number; ids: string[] } | null> {
    const [taken] = await this.prisma.$queryRaw<{ version: number }[]>`
      UPDATE withdrawal_list SET leased_until = ${from(leaseMs)}
       WHERE uid = ${uid}::uuid AND due_at <= now() AND (leased_until IS NULL OR leased_until <= now())
      RETURNING version`;
    if (!taken) return null;
    const rows = await this.prisma.withdrawal.findMany({ where: { uid, withdrawn: true } });
    return { ...taken, ids: [...new Set(rows.flatMap(({ ownerId, uploadIds }) => [ownerId, ...uploadIds]))] };
  }

  /** Returns whether the written version is still current. If not, the list is due again. */
  async end(uid: string, version: number): Promise<boolean> {
    const ended = await this.prisma.$executeRaw`
      UPDATE withdrawal_list SET due_at = NULL, leased_until = NULL
       WHERE uid = ${uid}::uuid AND version = ${version}::int AND due_at IS NOT NULL`;
    if (ended === 1) return true;
    await this.prisma.$executeRaw`
      WITH noted AS (SELECT ${uid}::uuid AS uid) ${listed}, leased_until = NULL`;
    return false;
  }

  async abandon(uid: string): Promise<void> {
    await this.prisma.$executeRaw`UPDATE withdrawal_list SET leased_until = NULL WHERE uid = ${uid}::uuid`;
  }

  /** Up to `most` accounts whose lists no replica has written for a second. */
  async listDue(most: number): Promise<string[]> {
    const rows = await this.prisma.$queryRaw<{ uid: string }[]>`
      SELECT uid FROM withdrawal_list
       WHERE due_at <= now() - ${headStart} AND (leased_until IS NULL OR leased_until <= now())
       ORDER BY due_at LIMIT ${most}`;
    return rows.map(({ uid }) => uid);
  }

  /** Milliseconds until `listDue` finds the next list; zero or negative if one is overdue. */
  async nextDueMs(): Promise<number | undefined> {
    const [next] = await this.prisma.$queryRaw<{ ms: number | null }[]>`
      SELECT extract(epoch FROM min(greatest(due_at + ${headStart}, leased_until)) - now())::float8 * 1000 AS ms
        FROM withdrawal_list WHERE due_at IS NOT NULL`;
    return next?.ms ?? undefined;
  }

  /** Deletes a batch of expired decisions, except those of closed accounts that still have uploads. */
  async forget(): Promise<void> {
    await this.prisma.$executeRaw`
      WITH noted AS (
        DELETE FROM withdrawal WHERE owner_id = ANY (ARRAY(
          SELECT owner_id FROM withdrawal AS gone
           WHERE forget_after <= now()
             AND (owner_id <> gone.uid OR NOT EXISTS (SELECT FROM upload WHERE uid = gone.uid))
           ORDER BY forget_after LIMIT ${deletionBatch}))
        RETURNING uid)
      ${listed}`;
    // An empty list is not stored, so it needs no row.
    await this.prisma.$executeRaw`
      DELETE FROM withdrawal_list AS list
       WHERE due_at IS NULL AND NOT EXISTS (SELECT FROM withdrawal WHERE uid = list.uid)`;
  }
}

/** Adds uploads to the decision about a hidden offering, when the offering begins to use them. */
export async function withdrawUploads(
  tx: Prisma.TransactionClient,
  ownerId: string,
  ids: readonly string[],
): Promise<void> {
  await tx.$executeRaw`
    WITH noted AS (
      UPDATE withdrawal SET upload_ids = ARRAY(SELECT DISTINCT unnest(upload_ids || ${ids}::uuid[]))
       WHERE owner_id = ${ownerId}::uuid AND owner_id <> uid AND withdrawn AND NOT upload_ids @> ${ids}::uuid[]
      RETURNING uid)
    ${listed}`;
}

const from = (ms: number) => Prisma.sql`now() + ${ms}::float8 * interval '1 millisecond'`;
