import { media, Picture, type PicturePurpose, StoredFile, type UploadPurpose } from '@stoa/contracts';
import { claimFirstDelivery, recordEvent } from '@stoa/messaging';
import { clientOptions, ownPool, poolOptions, ServicePool } from '@stoa/platform';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { PrismaPg } from '@prisma/adapter-pg';
import { randomUUID } from 'node:crypto';
import { AccountExports, closeExports } from './account-exports.repository.ts';
import { groupOf, settledGroups, slotsOf, type Uses } from './attachment-slots.ts';
import { forgetEmptySlots, keep, known, lockUploads, release, use } from './attachments.repository.ts';
import { Prisma, PrismaClient } from './generated/prisma/client.ts';
import { MediaConfig } from './media.config.ts';
import { outdatedMs, PreviewCards } from './preview-cards.repository.ts';
import { noteUnchanged, UnchangedUses } from './unchanged-uses.repository.ts';
import type { Granted, GrantQuota } from './upload-quota.ts';
import {
  columns,
  type ReadRow,
  storedBytes,
  toColumns,
  toUpload,
  usedBytesOf,
  type Verdict,
} from './upload-rows.repository.ts';
import { Withdrawals, withdrawUploads } from './withdrawals.repository.ts';

/** How the check of an upload ended, once and for all. */
export type Outcome = Exclude<Checked, { kind: 'timeout' }>;

/** How one check ended; a timeout leaves the upload to another one. */
export type Checked =
  | { readonly kind: 'timeout' }
  | { readonly kind: 'picture'; readonly picture: Picture; /** Of all its files. */ readonly bytes: number }
  | { readonly kind: 'file'; readonly file: StoredFile }
  | { readonly kind: 'refused'; readonly refusal: Verdict };

export interface Grant {
  readonly id: string;
  readonly uid: string;
  readonly purpose: UploadPurpose;
  /** Where the variants of the picture will lie, or the file itself. */
  readonly path: string;
  /** Null for pictures, whose names and types nobody needs. */
  readonly filename: string | null;
  readonly contentType: string | null;
  /** In bytes, as announced. */
  readonly size: number;
}

/** An upload as somebody says that it is theirs. */
type Claim<P extends UploadPurpose> = Pick<Grant, 'id' | 'uid'> & { readonly purpose: P };

export interface Upload extends Grant {
  readonly outcome: Outcome | null;
  /** When all this was so, by the clock of the database, as all times here. */
  readonly asOf: Date;
  /** Until when a replica has it in hand, as far as is known. */
  readonly checkingUntil: Date | null;
  /** When its time is over; null while something uses it. */
  readonly removeAfter: Date | null;
  /** How many checks took too long. */
  readonly timeouts: number;
  /** Whether an operator has hidden what uses it, where that was asked for. */
  readonly isWithdrawn?: boolean;
}

/** A record of another service that may use uploads, as of its version. */
export interface Owner {
  readonly id: string;
  readonly version: number;
}

type Transaction = Prisma.TransactionClient;

// Nothing but statements of milliseconds is done on a connection, so one that is late is a database that hangs.
const statementMs = 4000;

const files: UploadPurpose = 'offering-file';
const none = { equals: Prisma.DbNull };
/**
 * Uploads, and what is due when. All times are by the clock of the database: replicas have clocks of their own, and one
 * that is wrong must neither take what another has in hand nor remove what somebody keeps.
 */
@Injectable()
export class MediaRepository implements OnApplicationShutdown {
  readonly exports: AccountExports;
  readonly cards: PreviewCards;
  readonly withdrawals: Withdrawals;
  private readonly prisma: PrismaClient;
  private readonly unchanged: UnchangedUses;
  private readonly replica = randomUUID();

  constructor(config: MediaConfig) {
    const pool = { ...poolOptions(config), query_timeout: statementMs };
    // Planned once by each connection: it comes with nearly every event.
    const statementNameGenerator = ({ sql }: { sql: string }) =>
      sql === noteUnchanged ? 'note-unchanged' : '';
    const adapter = new PrismaPg(new ServicePool(pool), { ...ownPool, statementNameGenerator });
    this.prisma = new PrismaClient({ adapter, ...clientOptions });
    this.exports = new AccountExports(this.prisma);
    this.cards = new PreviewCards(this.prisma);
    this.withdrawals = new Withdrawals(this.prisma);
    this.unchanged = new UnchangedUses(this.prisma, outdatedMs);
  }

  /**
   * Records a grant for `lifeMs`, unless its owner has used up the quota, for grants of the last `withinMs`, or the room
   * of the account.
   */
  insert(grant: Grant, lifeMs: number, quota: GrantQuota): Promise<Granted> {
    return this.prisma.$transaction(async (tx) => {
      // One person's grants go one after another, or several at once could all pass the count.
      await lock(tx, grant.uid);
      const now = await readClock(tx);
      const purpose = grant.purpose === files ? files : { not: files };
      const unfinished = { picture: none, file: none };
      const recent = {
        uid: grant.uid,
        purpose,
        createdAt: { gt: after(now, -quota.withinMs) },
        ...unfinished,
      };
      if ((await tx.upload.count({ where: recent })) >= quota.unfinished) return { kind: 'too many' };
      // Also what was finished and never used takes room until the sweeper comes.
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

  /** What the uploads of an account take, those that are not finished by their announced size. */
  usedBytes(uid: string): Promise<number> {
    return usedBytesOf(this.prisma, uid);
  }

  /** Ends the time of an upload that no record uses and no replica checks; whether there is such a one. */
  async abandonUpload({ id, uid }: Pick<Grant, 'id' | 'uid'>): Promise<boolean> {
    const ended = await this.prisma.$executeRaw`
      UPDATE upload SET remove_after = now(), held_until = NULL
       WHERE id = ${id}::uuid AND uid = ${uid}::uuid AND remove_after IS NOT NULL AND removing_until IS NULL
         AND picture IS NULL AND file IS NULL AND (checking_until IS NULL OR checking_until <= now())`;
    return ended === 1;
  }

  /** Everything that an account has: its checked pictures and files, used or not. */
  async listKept(uid: string): Promise<Upload[]> {
    const rows = await this.prisma.$queryRaw<ReadRow[]>`
      SELECT ${columns} FROM upload
       WHERE uid = ${uid}::uuid AND (picture IS NOT NULL OR file IS NOT NULL) AND removing_until IS NULL
       ORDER BY created_at`;
    return rows.map(toUpload);
  }

  /** The upload, unless there is none or it is being removed. */
  async find(id: string): Promise<Upload | null> {
    const [row] = await this.prisma.$queryRaw<ReadRow[]>`
      SELECT ${columns}, EXISTS (
               SELECT FROM withdrawal AS w
                WHERE w.uid = upload.uid AND w.withdrawn AND (w.owner_id = w.uid OR upload.id = ANY (w.upload_ids)))
               AS "isWithdrawn"
        FROM upload WHERE id = ${id}::uuid AND removing_until IS NULL`;
    return row ? toUpload(row) : null;
  }

  /** What the database takes for now. */
  readClock(): Promise<Date> {
    return readClock(this.prisma);
  }

  /** Which of these uploads are still to be checked. */
  async findUnchecked(ids: readonly string[]): Promise<Set<string>> {
    const unchecked = { picture: none, file: none, refusal: none, removingUntil: null };
    const rows = await this.prisma.upload.findMany({
      where: { id: { in: [...ids] }, ...unchecked },
      select: { id: true },
    });
    return new Set(rows.map(({ id }) => id));
  }

  /**
   * Takes an upload to check it for `leaseMs`, unless that is done or another replica is at it. A replica gets its own
   * lease again: it checks an upload once at a time, so that one was left by a check that failed.
   *
   * @param keptMs For how long the upload stays at least, whatever its check comes to.
   */
  async beginCheck(id: string, leaseMs: number, keptMs: number): Promise<Upload | null> {
    const [taken] = await this.prisma.$queryRaw<ReadRow[]>`
      UPDATE upload
         SET checking_by = ${this.replica}::uuid, checking_until = ${from(leaseMs)},
             remove_after = CASE WHEN remove_after IS NOT NULL THEN GREATEST(remove_after, ${from(keptMs)}) END
       WHERE id = ${id}::uuid AND picture IS NULL AND file IS NULL AND refusal IS NULL AND removing_until IS NULL
         AND (remove_after IS NULL OR remove_after > now())
         AND (checking_until IS NULL OR checking_until <= now() OR checking_by = ${this.replica}::uuid)
   RETURNING ${columns}`;
    return taken ? toUpload(taken) : null;
  }

  /** Holds on to an upload for `leaseMs` more; whether it is still this replica's to check. */
  async renewCheck(id: string, leaseMs: number): Promise<boolean> {
    const renewed = await this.prisma.$executeRaw`
      UPDATE upload SET checking_until = ${from(leaseMs)}
       WHERE id = ${id}::uuid AND checking_by = ${this.replica}::uuid AND removing_until IS NULL`;
    return renewed === 1;
  }

  /** Leaves an upload to the next who asks. */
  async abandonCheck(id: string): Promise<void> {
    const lease = { checkingBy: null, checkingUntil: null };
    await this.prisma.upload.updateMany({ where: { id, checkingBy: this.replica }, data: lease });
  }

  /**
   * Notes how a check ended, and for how long what came of it stays although nothing uses it. An account that was closed
   * meanwhile keeps nothing.
   *
   * @returns whether it counts: not when another replica took the upload over, or it is being removed.
   */
  async endCheck(id: string, checked: Checked, keptMs: number): Promise<boolean> {
    const { picture = null, file = null, refusal = null } = toColumns(checked);
    const isFinal = checked.kind !== 'timeout';
    const ended = await this.prisma.$executeRaw`
      UPDATE upload
         SET picture = ${picture}::jsonb, file = ${file}::jsonb, refusal = ${refusal}::jsonb,
             size = coalesce(${storedBytes(checked)}::int, size),
             timeouts = timeouts + ${isFinal ? 0 : 1}::int, checking_by = NULL, checking_until = NULL,
             remove_after = CASE WHEN ${isFinal}::boolean AND remove_after > now()
                                 THEN ${from(keptMs)} ELSE remove_after END
       WHERE id = ${id}::uuid AND checking_by = ${this.replica}::uuid AND removing_until IS NULL
         AND picture IS NULL AND file IS NULL AND refusal IS NULL`;
    return ended === 1;
  }

  /** The picture, kept for `heldMs` even if nothing uses it; null when there is none, or it is going. */
  async holdPicture(upload: Claim<PicturePurpose>, heldMs: number): Promise<Picture | null> {
    const row = await this.hold(upload, heldMs);
    return row?.picture ? Picture.parse(row.picture) : null;
  }

  /** The same for a file. */
  async holdFile(upload: Omit<Claim<UploadPurpose>, 'purpose'>, heldMs: number): Promise<StoredFile | null> {
    const row = await this.hold({ ...upload, purpose: files }, heldMs);
    return row?.file ? StoredFile.parse(row.file) : null;
  }

  /**
   * Follows which uploads `owner` uses, unless a newer version or the same event said so before. Its cards may show what was
   * changed: they go unless they are asked for again.
   *
   * @returns the uploads that nothing uses any more because of this.
   */
  async attach(owner: Owner, uses: Uses, eventId: string): Promise<string[]> {
    // Of a record with several files the transaction finds out, as one of them may have gone.
    if (await this.unchanged.note(owner, uses.files ? [] : slotsOf(uses, []))) return [];
    return this.prisma.$transaction(async (tx) => {
      if (!(await claimFirstDelivery(tx, eventId))) return [];
      await lock(tx, owner.id);
      // `unchanged` takes no other lock, and would note a newer version between this reading and the writing below.
      await tx.$queryRaw`SELECT 1 FROM attachment WHERE owner_id = ${owner.id}::uuid FOR UPDATE`;
      const stored = await tx.attachment.findMany({ where: { ownerId: owner.id } });
      // A newer event may have said nothing of some of them.
      const settled = settledGroups(stored, owner.version);
      const slots = slotsOf(uses, stored).filter(({ ownerKind }) => !settled.has(groupOf(ownerKind)));
      const before = stored.filter((old) => slots.some(({ ownerKind }) => ownerKind === old.ownerKind));
      const was = known(before);
      const is = known(slots);
      await lockUploads(tx, [...was, ...is]);
      for (const slot of slots) await use(tx, owner, slot);
      await keep(tx, is);
      await withdrawUploads(tx, owner.id, is);
      return release(
        tx,
        was.filter((id) => !is.includes(id)),
      );
    });
  }

  /** Lets go of everything that an account uploaded, and answers what that is. Nothing uses or holds it any more. */
  close(uid: string, eventId: string): Promise<string[]> {
    return this.prisma.$transaction(async (tx) => {
      if (!(await claimFirstDelivery(tx, eventId))) return [];
      await lock(tx, uid);
      const rows = await tx.$queryRaw<{ id: string }[]>`
        SELECT id FROM upload WHERE uid = ${uid}::uuid ORDER BY id FOR UPDATE`;
      const ids = rows.map(({ id }) => id);
      await tx.attachment.updateMany({ where: { uploadId: { in: ids } }, data: { uploadId: null } });
      // Begun with this, so that it goes on within moments whoever dies: the receipt says that all is gone. What is being
      // checked is written until its lease is over, which nobody renews from now on.
      await tx.$executeRaw`
        UPDATE upload SET held_until = NULL, remove_after = now(),
               removing_until = GREATEST(now(), checking_until)
         WHERE id = ANY(${ids}::uuid[])`;
      await closeExports(tx, uid);
      await recordEvent(tx, media.erased, { uid, counts: {} });
      return ids;
    });
  }

  /**
   * Takes up to `most` uploads whose time is over to remove them for `leaseMs`: what nobody uses or checks, and what a
   * removal that was cut short left. They are as good as gone. Replicas may do so at once: each takes others.
   * @param only Of these alone; `begun` takes what was cut short alone.
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
    // Two statements in one, since each has an index of its own.
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
   RETURNING ${columns}`;
    return due.map(toUpload);
  }

  renewRemoval(ids: string[], leaseMs: number): Promise<number> {
    return this.prisma.$executeRaw`UPDATE upload SET removing_until = ${from(leaseMs)}
       WHERE id = ANY(${ids}::uuid[]) AND removing_until > now()`;
  }

  /** Leaves the rest of a removal to whoever comes next. */
  async abandonRemoval(ids: string[]): Promise<void> {
    const where = { id: { in: ids }, removingUntil: { not: null } };
    await this.prisma.upload.updateMany({ where, data: { removingUntil: new Date(0) } });
  }

  /** The store refuses to remove it: the next try comes later each time, and an hour later at most. */
  async putOffRemoval(id: string): Promise<void> {
    await this.prisma.$executeRaw`
      UPDATE upload SET removal_attempts = removal_attempts + 1,
             removing_until = now() + least(10 * 2 ^ least(removal_attempts, 20), 3600) * interval '1 second'
       WHERE id = ${id}::uuid AND removing_until IS NOT NULL`;
  }

  /** Forgets what was said of records that use nothing, once nothing older can come; answers how many rows that were. */
  forgetEmptySlots(most: number): Promise<number> {
    return forgetEmptySlots(this.prisma, most);
  }

  /** Forgets an upload whose objects are removed. */
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

  async onApplicationShutdown(): Promise<void> {
    await this.prisma.$disconnect();
  }
}

const from = (ms: number) => Prisma.sql`now() + ${ms}::float8 * interval '1 millisecond'`;
const after = (date: Date, ms: number) => new Date(date.getTime() + ms);

async function readClock(database: Pick<Transaction, '$queryRaw'>): Promise<Date> {
  const [row] = await database.$queryRaw<[{ now: Date }]>`SELECT now() AS now`;
  return row.now;
}

async function lock(tx: Transaction, name: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`;
}
