import type { Slot } from './attachment-slots.ts';
import type { Prisma } from './generated/prisma/client.ts';
import type { Owner } from './media.repository.ts';

type Transaction = Prisma.TransactionClient;

// Always in the same order, or two records that swap their pictures could wait for each other.
export async function lockUploads(tx: Transaction, ids: string[]): Promise<void> {
  await tx.$executeRaw`SELECT 1 FROM upload WHERE id = ANY(${ids}::uuid[]) ORDER BY id FOR UPDATE`;
}

/** The uploads in these slots, each of them once. */
export function known(slots: readonly Slot[]): string[] {
  return [...new Set(slots.map(({ uploadId }) => uploadId))].filter((id) => id !== null);
}

export async function use(tx: Transaction, { id: ownerId, version }: Owner, { ownerKind, uploadId }: Slot) {
  await tx.attachment.upsert({
    where: { ownerKind_ownerId: { ownerKind, ownerId } },
    create: { ownerKind, ownerId, uploadId, version },
    update: { uploadId, version, notedAt: new Date() },
  });
}

/** As long as the inbox knows which events were handled: none is older that comes. */
const emptySlotDays = 60;

/** Forgets slots without an upload of which nothing was said for so many days, a part of them; answers how many. */
export function forgetEmptySlots(database: Pick<Transaction, '$executeRaw'>, most: number): Promise<number> {
  return database.$executeRaw`
    DELETE FROM attachment WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM attachment
       WHERE upload_id IS NULL AND noted_at < now() - ${emptySlotDays}::int * interval '1 day' LIMIT ${most}))`;
}

export async function keep(tx: Transaction, ids: string[]): Promise<void> {
  const where = { id: { in: ids }, removingUntil: null };
  await tx.upload.updateMany({ where, data: { heldUntil: null, removeAfter: null } });
}

export async function release(tx: Transaction, ids: string[]): Promise<string[]> {
  const used = await tx.attachment.findMany({ where: { uploadId: { in: ids } } });
  const unused = ids.filter((id) => !used.some(({ uploadId }) => uploadId === id));
  await tx.$executeRaw`
    UPDATE upload SET remove_after = GREATEST(now(), held_until) WHERE id = ANY(${unused}::uuid[])`;
  return unused;
}
