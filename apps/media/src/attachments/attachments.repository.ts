import { media } from '@stoa/contracts';
import { claimFirstDelivery, recordEvent } from '@stoa/messaging';
import { Injectable } from '@nestjs/common';
import { expireExports } from '../exports/account-exports.repository.ts';
import {
  groupOf,
  type RecordVersion,
  settledGroups,
  type AttachmentSlot,
  slotsOf,
  type UsedUploads,
} from './attachment-slots.ts';
import { Database } from '../database.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { expireOutdatedCards } from '../cards/preview-cards.repository.ts';
import { lockByName } from '../uploads/upload-rows.repository.ts';
import { withdrawUploads } from '../withdrawals/withdrawals.repository.ts';

type Transaction = Prisma.TransactionClient;

/** Event ids are kept for 60 days as well (inbox). Later no older event can arrive. */
const emptySlotDays = 60;

/** Stores which profiles and offerings use which uploads. */
@Injectable()
export class Attachments {
  constructor(private readonly prisma: Database) {}

  /**
   * Records the uploads that a profile or offering uses, unless a newer version or this event is recorded. It
   * also makes the preview cards of `owner` expire, because they may be outdated.
   * @returns the uploads that became unused
   */
  async attach(owner: RecordVersion, uses: UsedUploads, eventId: string): Promise<string[]> {
    return this.prisma.$transaction(async (tx) => {
      if (!(await claimFirstDelivery(tx, eventId))) return [];
      await lockByName(tx, owner.id);
      await expireOutdatedCards(tx, owner.id);
      const stored = await tx.attachment.findMany({ where: { ownerId: owner.id } });
      // A newer event may have set some of the slots and left out the others.
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

  /** Marks every upload of an account as unused, and returns their ids. */
  close(uid: string, eventId: string): Promise<string[]> {
    return this.prisma.$transaction(async (tx) => {
      if (!(await claimFirstDelivery(tx, eventId))) return [];
      await lockByName(tx, uid);
      const rows = await tx.$queryRaw<{ id: string }[]>`
        SELECT id FROM upload WHERE uid = ${uid}::uuid ORDER BY id FOR UPDATE`;
      const ids = rows.map(({ id }) => id);
      await tx.attachment.updateMany({ where: { uploadId: { in: ids } }, data: { uploadId: null } });
      // The removal begins in this transaction, so that another replica finishes it after a crash. A running
      // check may still write objects until its lease ends.
      await tx.$executeRaw`
        UPDATE upload SET held_until = NULL, remove_after = now(),
               removing_until = GREATEST(now(), checking_until)
         WHERE id = ANY(${ids}::uuid[])`;
      await expireExports(tx, uid);
      await recordEvent(tx, media.erased, { uid, counts: {} });
      return ids;
    });
  }

  /** Deletes up to `most` empty slots for which no older event can arrive, and returns their number. */
  deleteEmptySlots(most: number): Promise<number> {
    return this.prisma.$executeRaw`
      DELETE FROM attachment WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM attachment
         WHERE upload_id IS NULL AND noted_at < now() - ${emptySlotDays}::int * interval '1 day' LIMIT ${most}))`;
  }
}

// Locks the rows in one order, because two records that swap their pictures could deadlock.
async function lockUploads(tx: Transaction, ids: string[]): Promise<void> {
  await tx.$executeRaw`SELECT 1 FROM upload WHERE id = ANY(${ids}::uuid[]) ORDER BY id FOR UPDATE`;
}

function known(slots: readonly AttachmentSlot[]): string[] {
  return [...new Set(slots.map(({ uploadId }) => uploadId))].filter((id) => id !== null);
}

async function use(
  tx: Transaction,
  { id: ownerId, version }: RecordVersion,
  { ownerKind, uploadId }: AttachmentSlot,
) {
  await tx.attachment.upsert({
    where: { ownerKind_ownerId: { ownerKind, ownerId } },
    create: { ownerKind, ownerId, uploadId, version },
    update: { uploadId, version, notedAt: new Date() },
  });
}

async function keep(tx: Transaction, ids: string[]): Promise<void> {
  const where = { id: { in: ids }, removingUntil: null };
  await tx.upload.updateMany({ where, data: { heldUntil: null, removeAfter: null } });
}

async function release(tx: Transaction, ids: string[]): Promise<string[]> {
  const used = await tx.attachment.findMany({ where: { uploadId: { in: ids } } });
  const unused = ids.filter((id) => !used.some(({ uploadId }) => uploadId === id));
  await tx.$executeRaw`
    UPDATE upload SET remove_after = GREATEST(now(), held_until) WHERE id = ANY(${unused}::uuid[])`;
  return unused;
}
