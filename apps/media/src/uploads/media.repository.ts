import { Picture, type PicturePurpose, StoredFile, type UploadPurpose } from '@stoa/contracts';
import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Database } from '../database.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { GrantOutcome, GrantQuota } from './upload-quota.ts';
import {
  type CheckResult,
  uploadColumns,
  formExpiry,
  type Grant,
  lockByName,
  type ReadRow,
  storedBytes,
  toColumns,
  toUpload,
  type Upload,
  usedBytesOf,
} from './upload-rows.repository.ts';

/** An upload with its claimed owner and purpose. */
type Claim<P extends UploadPurpose> = Pick<Grant, 'id' | 'uid'> & { readonly purpose: P };

const files: UploadPurpose = 'offering-file';
const none = { equals: Prisma.DbNull };
/**
 * The uploads and their leases and times. All times are by the database's clock. A replica with a wrong clock
 * must neither take over a running check nor remove a kept upload.
 */
@Injectable()
export class MediaRepository {
  private readonly replica = randomUUID();

  constructor(private readonly prisma: Database) {}

  /**
   * Records a grant for `lifeMs`, unless the owner has reached a quota of the last `withinMs` or the
   * account's storage limit.
   */
  insert(grant: Grant, lifeMs: number, quota: GrantQuota): Promise<GrantOutcome> {
    return this.prisma.$transaction(async (tx) => {
      // Grants of one account are serialised; concurrent ones could all pass the count.
      await lockByName(tx, grant.uid);
      const now = await readClock(tx);
      const known = await tx.upload.findUnique({ where: { id: grant.id } });
      if (known) return { kind: 'granted', at: known.createdAt };
      const purpose = grant.purpose === files ? files : { not: files };
      const unfinished = { picture: none, file: none };
      const recent = {
        uid: grant.uid,
        purpose,
        createdAt: { gt: after(now, -quota.withinMs) },
        ...unfinished,
      };
      if ((await tx.upload.count({ where: recent })) >= quota.unfinished) return { kind: 'too many' };
      // Finished but unused uploads also count until the sweeper removes them.
      const unused = await tx.upload.aggregate({
        where: { uid: grant.uid, purpose, removeAfter: { not: null } },
        _count: true,
        _sum: { size: true },
      });
      if (unused._count >= quota.unused) return { kind: 'too many' };
      const usedBytes = await usedBytesOf(tx, grant.uid);
      if (usedBytes + grant.size > quota.accountBytes) return { kind: 'no room', usedBytes };
      if ((unused._sum.size ?? 0) + grant.size > quota.unusedBytes) return { kind: 'too many' };
      await tx.upload.create({ data: { ...grant, createdAt: now, removeAfter: after(now, lifeMs) } });
      return { kind: 'granted', at: now };
    });
  }

  /** Bytes of the account's uploads; unfinished ones count with their announced size. */
  usedBytes(uid: string): Promise<number> {
    return usedBytesOf(this.prisma, uid);
  }

  /**
   * Abandons an upload that is neither used nor being checked, and returns whether there was one. It counts
   * until its form has expired.
   */
  async abandonUpload({ id, uid }: Pick<Grant, 'id' | 'uid'>): Promise<boolean> {
    const ended = await this.prisma.$executeRaw`
      UPDATE upload SET remove_after = now(), held_until = NULL, removing_until = GREATEST(now(), ${formExpiry})
       WHERE id = ${id}::uuid AND uid = ${uid}::uuid AND remove_after IS NOT NULL AND removing_until IS NULL
         AND picture IS NULL AND file IS NULL AND (checking_until IS NULL OR checking_until <= now())`;
    return ended === 1;
  }

  /** All checked pictures and files of an account, used or not. */
  async listKept(uid: string): Promise<Upload[]> {
    const rows = await this.prisma.$queryRaw<ReadRow[]>`
      SELECT ${uploadColumns} FROM upload
       WHERE uid = ${uid}::uuid AND (picture IS NOT NULL OR file IS NOT NULL) AND removing_until IS NULL
       ORDER BY created_at`;
    return rows.map(toUpload);
  }

  /** The upload; null when there is none or it is being removed. */
  async find(id: string): Promise<Upload | null> {
    const [row] = await this.prisma.$queryRaw<ReadRow[]>`
      SELECT ${uploadColumns}, EXISTS (
               SELECT FROM withdrawal AS w
                WHERE w.uid = upload.uid AND w.withdrawn AND (w.owner_id = w.uid OR upload.id = ANY (w.upload_ids)))
               AS "isWithdrawn"
        FROM upload WHERE id = ${id}::uuid AND removing_until IS NULL`;
    return row ? toUpload(row) : null;
  }

  /** The database's current time. */
  readClock(): Promise<Date> {
    return readClock(this.prisma);
  }

  /** The ids of these uploads that are not checked yet. */
  async findUnchecked(ids: readonly string[]): Promise<Set<string>> {
    const unchecked = { picture: none, file: none, refusal: none, removingUntil: null };
    const rows = await this.prisma.upload.findMany({
      where: { id: { in: [...ids] }, ...unchecked },
      select: { id: true },
    });
    return new Set(rows.map(({ id }) => id));
  }

  /**
   * Leases an upload for a check, unless it is checked or another replica checks it. Re-entrant: a lease
   * already held by this replica is left over from a failed check.
   *
   * @param retentionMs The minimum time that the upload is kept, whatever the result
   */
  async beginCheck(id: string, leaseMs: number, retentionMs: number): Promise<Upload | null> {
    const [taken] = await this.prisma.$queryRaw<ReadRow[]>`
      UPDATE upload
         SET checking_by = ${this.replica}::uuid, checking_until = ${from(leaseMs)},
             remove_after = CASE WHEN remove_after IS NOT NULL THEN GREATEST(remove_after, ${from(retentionMs)}) END
       WHERE id = ${id}::uuid AND picture IS NULL AND file IS NULL AND refusal IS NULL AND removing_until IS NULL
         AND (remove_after IS NULL OR remove_after > now())
         AND (checking_until IS NULL OR checking_until <= now() OR checking_by = ${this.replica}::uuid)
   RETURNING ${uploadColumns}`;
    return taken ? toUpload(taken) : null;
  }

  /** Renews the lease; false when this replica has lost it. */
  async renewCheck(id: string, leaseMs: number): Promise<boolean> {
    const renewed = await this.prisma.$executeRaw`
      UPDATE upload SET checking_until = ${from(leaseMs)}
       WHERE id = ${id}::uuid AND checking_by = ${this.replica}::uuid AND removing_until IS NULL`;
    return renewed === 1;
  }

  /** Releases the lease, so that the next request can check the upload. */
  async abandonCheck(id: string): Promise<void> {
    const lease = { checkingBy: null, checkingUntil: null };
    await this.prisma.upload.updateMany({ where: { id, checkingBy: this.replica }, data: lease });
  }

  /**
   * Records the result of a check, and how long an unused upload is kept. Uploads of an account that was
   * closed during the check are not kept.
   *
   * @returns false when another replica took the upload over, or it is being removed
   */
  async endCheck(id: string, checked: CheckResult, retentionMs: number): Promise<boolean> {
    const { picture = null, file = null, refusal = null } = toColumns(checked);
    const isFinal = checked.kind !== 'timeout';
    const ended = await this.prisma.$executeRaw`
      UPDATE upload
         SET picture = ${picture}::jsonb, file = ${file}::jsonb, refusal = ${refusal}::jsonb,
             size = coalesce(${storedBytes(checked)}::int, size),
             timeouts = timeouts + ${isFinal ? 0 : 1}::int, checking_by = NULL, checking_until = NULL,
             remove_after = CASE WHEN ${isFinal}::boolean AND remove_after > now()
                                 THEN ${from(retentionMs)} ELSE remove_after END
       WHERE id = ${id}::uuid AND checking_by = ${this.replica}::uuid AND removing_until IS NULL
         AND picture IS NULL AND file IS NULL AND refusal IS NULL`;
    return ended === 1;
  }

  /**
   * The picture, kept for `heldMs` even if no record uses it; null when there is none or it is being removed.
   */
  async holdPicture(upload: Claim<PicturePurpose>, heldMs: number): Promise<Picture | null> {
    const row = await this.hold(upload, heldMs);
    return row?.picture ? Picture.parse(row.picture) : null;
  }

  /** The file; otherwise like `holdPicture`. */
  async holdFile(upload: Omit<Claim<UploadPurpose>, 'purpose'>, heldMs: number): Promise<StoredFile | null> {
    const row = await this.hold({ ...upload, purpose: files }, heldMs);
    return row?.file ? StoredFile.parse(row.file) : null;
  }

  /**
   * Leases up to `most` uploads for removal: expired ones that are neither used nor being checked, and those
   * of an interrupted removal. From then on they count as removed. Concurrent replicas get different uploads.
   * @param only Restricts the ids; `begun` restricts to interrupted removals
   */
  async beginRemoval({
    most,
    leaseMs,
    only = null,
    begun = false,
  }: {
    most: number;
    leaseMs: number;
    only?: string[] | null;
    begun?: boolean;
  }): Promise<Upload[]> {
    const mayBe = Prisma.sql`(${only}::uuid[] IS NULL OR id = ANY(${only}::uuid[]))`;
    // Two subqueries, since each has an index of its own.
    const due = await this.prisma.$queryRaw<ReadRow[]>`
      WITH cut_short AS (
        SELECT id FROM upload WHERE removing_until <= now() AND ${mayBe}
         ORDER BY removing_until LIMIT ${most} FOR UPDATE SKIP LOCKED),
      over AS (
        SELECT id FROM upload
         WHERE remove_after <= now() AND removing_until IS NULL AND (checking_until IS NULL OR checking_until <= now())
           AND NOT EXISTS (SELECT 1 FROM attachment WHERE upload_id = upload.id) AND ${mayBe}
         ORDER BY remove_after LIMIT ${begun ? 0 : most} FOR UPDATE SKIP LOCKED)
      UPDATE upload SET removing_until = ${from(leaseMs)}
       WHERE id IN (SELECT id FROM cut_short UNION ALL SELECT id FROM over LIMIT ${most})
   RETURNING ${uploadColumns}`;
    return due.map(toUpload);
  }

  renewRemoval(ids: string[], leaseMs: number): Promise<number> {
    return this.prisma.$executeRaw`UPDATE upload SET removing_until = ${from(leaseMs)}
       WHERE id = ANY(${ids}::uuid[]) AND removing_until > now()`;
  }

  /** Releases the rest of a removal to the next replica. */
  async abandonRemoval(ids: string[]): Promise<void> {
    const where = { id: { in: ids }, removingUntil: { not: null } };
    await this.prisma.upload.updateMany({ where, data: { removingUntil: new Date(0) } });
  }

  /** Postpones a removal that the store refused, with exponential backoff up to an hour. */
  async putOffRemoval(id: string): Promise<void> {
    await this.prisma.$executeRaw`
      UPDATE upload SET removal_attempts = removal_attempts + 1,
             removing_until = now() + least(10 * 2 ^ least(removal_attempts, 20), 3600) * interval '1 second'
       WHERE id = ${id}::uuid AND removing_until IS NOT NULL`;
  }

  /** Deletes the row of an upload whose objects are removed. */
  async endRemoval(id: string): Promise<void> {
    await this.prisma.upload.deleteMany({ where: { id, removingUntil: { not: null } } });
  }

  private async hold(
    { id, uid, purpose }: Claim<UploadPurpose>,
    heldMs: number,
  ): Promise<{ picture: unknown; file: unknown } | undefined> {
    const [row] = await this.prisma.$queryRaw<{ picture: unknown; file: unknown }[]>`
      UPDATE upload
         SET held_until = ${from(heldMs)},
             remove_after = CASE WHEN remove_after IS NOT NULL THEN GREATEST(remove_after, ${from(heldMs)}) END
       WHERE id = ${id}::uuid AND uid = ${uid}::uuid AND purpose = ${purpose}
         AND (picture IS NOT NULL OR file IS NOT NULL) AND removing_until IS NULL
         AND (remove_after IS NULL OR remove_after > now())
   RETURNING picture, file`;
    return row;
  }
}

const from = (ms: number) => Prisma.sql`now() + ${ms}::float8 * interval '1 millisecond'`;
const after = (date: Date, ms: number) => new Date(date.getTime() + ms);

async function readClock(database: Pick<Prisma.TransactionClient, '$queryRaw'>): Promise<Date> {
  const [row] = await database.$queryRaw<[{ now: Date }]>`SELECT now() AS now`;
  return row.now;
}
