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

/** The id of an upload, with the owner and purpose that the caller claims. Both must match. */
type Claim<P extends UploadPurpose> = Pick<Grant, 'id' | 'uid'> & { readonly purpose: P };

const files: UploadPurpose = 'offering-file';
const none = { equals: Prisma.DbNull };
/**
 * Stores uploads, their leases and times. All times are by the database's clock, because a replica with a
 * wrong clock could take over a running check or remove a kept upload.
 */
@Injectable()
export class MediaRepository {
  private readonly replica = randomUUID();

  constructor(private readonly prisma: Database) {}

  /** Records a grant for `lifeMs`, unless a quota or the storage limit of the account is reached. */
  insert(grant: Grant, lifeMs: number, quota: GrantQuota): Promise<GrantOutcome> {
    return this.prisma.$transaction(async (tx) => {
      // Without the lock, concurrent grants of one account would not count each other.
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
      // Finished uploads that no record uses count until the sweeper removes them.
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

  /** Bytes that the account uses. An unfinished upload counts with the size in its request. */
  usedBytes(uid: string): Promise<number> {
    return usedBytesOf(this.prisma, uid);
  }

  /** Cancels an upload that is neither used nor being checked. It counts until its form expires. */
  async abandonUpload({ id, uid }: Pick<Grant, 'id' | 'uid'>): Promise<boolean> {
    const ended = await this.prisma.$executeRaw`
      UPDATE upload SET remove_after = now(), held_until = NULL, removing_until = GREATEST(now(), ${formExpiry})
       WHERE id = ${id}::uuid AND uid = ${uid}::uuid AND remove_after IS NOT NULL AND removing_until IS NULL
         AND picture IS NULL AND file IS NULL AND (checking_until IS NULL OR checking_until <= now())`;
    return ended === 1;
  }

  /** All checked pictures and files of an account, even if no record uses them. */
  async listKept(uid: string): Promise<Upload[]> {
    const rows = await this.prisma.$queryRaw<ReadRow[]>`
      SELECT ${uploadColumns} FROM upload
       WHERE uid = ${uid}::uuid AND (picture IS NOT NULL OR file IS NOT NULL) AND removing_until IS NULL
       ORDER BY created_at`;
    return rows.map(toUpload);
  }

  /** The upload; null if it does not exist or is being removed. */
  async find(id: string): Promise<Upload | null> {
    const [row] = await this.prisma.$queryRaw<ReadRow[]>`
      SELECT ${uploadColumns}, EXISTS (
               SELECT FROM withdrawal AS w
                WHERE w.uid = upload.uid AND w.withdrawn AND (w.owner_id = w.uid OR upload.id = ANY (w.upload_ids)))
               AS "isWithdrawn"
        FROM upload WHERE id = ${id}::uuid AND removing_until IS NULL`;
    return row ? toUpload(row) : null;
  }

  readClock(): Promise<Date> {
    return readClock(this.prisma);
  }

  async findUnchecked(ids: readonly string[]): Promise<Set<string>> {
    const unchecked = { picture: none, file: none, refusal: none, removingUntil: null };
    const rows = await this.prisma.upload.findMany({
      where: { id: { in: [...ids] }, ...unchecked },
      select: { id: true },
    });
    return new Set(rows.map(({ id }) => id));
  }

  /**
   * Leases an upload for a check; null if it is already checked, or another replica checks it. A lease of
   * this replica counts as free, because an earlier check has failed.
   * @param retentionMs How long the upload is kept at least, whatever the result
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

  /** Renews the lease of a check. Returns false if another replica has taken it over. */
  async renewCheck(id: string, leaseMs: number): Promise<boolean> {
    const renewed = await this.prisma.$executeRaw`
      UPDATE upload SET checking_until = ${from(leaseMs)}
       WHERE id = ${id}::uuid AND checking_by = ${this.replica}::uuid AND removing_until IS NULL`;
    return renewed === 1;
  }

  /** Ends the lease without a result, so that the next request can check the upload. */
  async abandonCheck(id: string): Promise<void> {
    const lease = { checkingBy: null, checkingUntil: null };
    await this.prisma.upload.updateMany({ where: { id, checkingBy: this.replica }, data: lease });
  }

  /**
   * Records the result of a check, and how long the upload is kept if no record uses it.
   * @returns false if another replica has taken over the check, or the upload is being removed
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

  /** Returns the picture and keeps it for `heldMs`; null if it does not exist or is being removed. */
  async holdPicture(upload: Claim<PicturePurpose>, heldMs: number): Promise<Picture | null> {
    const row = await this.hold(upload, heldMs);
    return row?.picture ? Picture.parse(row.picture) : null;
  }

  /** Returns the file and keeps it for `heldMs`; null if it does not exist or is being removed. */
  async holdFile(upload: Omit<Claim<UploadPurpose>, 'purpose'>, heldMs: number): Promise<StoredFile | null> {
    const row = await this.hold({ ...upload, purpose: files }, heldMs);
    return row?.file ? StoredFile.parse(row.file) : null;
  }

  /**
   * Leases up to `most` uploads for removal: unused ones that have expired, and interrupted removals. No
   * other method finds them from now on. Concurrent replicas get different uploads.
   * @param only Only these ids; with `begun`, only interrupted removals
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
    // Two subqueries, because each condition has its own index.
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

  /** Ends the leases of uploads that this replica has not removed, so that another one continues. */
  async abandonRemoval(ids: string[]): Promise<void> {
    const where = { id: { in: ids }, removingUntil: { not: null } };
    await this.prisma.upload.updateMany({ where, data: { removingUntil: new Date(0) } });
  }

  /** Schedules the next attempt after the store refused a removal. The pauses double, up to an hour. */
  async putOffRemoval(id: string): Promise<void> {
    await this.prisma.$executeRaw`
      UPDATE upload SET removal_attempts = removal_attempts + 1,
             removing_until = now() + least(10 * 2 ^ least(removal_attempts, 20), 3600) * interval '1 second'
       WHERE id = ${id}::uuid AND removing_until IS NOT NULL`;
  }

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
