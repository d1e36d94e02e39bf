import {
  defaultOfferingState,
  type FileChange,
  isNewerThanUndo,
  type NewOffering,
  Offering,
  type OfferingChanges,
  type OfferingFacts,
  type OfferingList,
  type OfferingOrder,
  offerings,
  type UndoneLinkChangeFacts,
} from '@stoa/contracts';
import { claimFirstDelivery, isRequestDone, recordEvent, recordRequest } from '@stoa/messaging';
import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Database } from '../database.ts';
import { type Offering as Row, Prisma } from '../generated/prisma/client.ts';
import {
  applyFileChanges,
  readFiles,
  unreadableFiles,
  withUnreadableFiles,
} from '../delivery/delivered-files.ts';
import { lockAccount } from '../rows/account-lock.repository.ts';
import { displayOrderSql } from '../rows/offering-order.ts';
import { announceWithdrawal } from '../links/link-listings.repository.ts';
import { tallyOf } from '../public/public-counts.repository.ts';
import { lastPublicLink } from '../payments/payment-link.ts';
import { Payees } from '../payments/payees.repository.ts';
import { slugBase } from './slug.ts';
import { assignSlug } from './slugs.repository.ts';
import { isPublicRow, readablePicture, readableState, readerOf } from '../rows/readable-row.ts';
import { type WorkshopColumns, workshopOf } from '../rows/workshop.ts';

type Named = Pick<Offering, 'id' | 'creatorId'>;
/** A duplicate copies cover and type; its original may lack both. */
export type OwnedDraft = Omit<NewOffering, 'coverImage' | 'type' | 'schedule' | 'seats'> &
  Partial<Pick<NewOffering, 'coverImage'>> &
  WorkshopColumns &
  Pick<Offering, 'creatorId' | 'deliveryKey' | 'type'>;

type Changes = Omit<OfferingChanges, 'id' | 'schedule' | 'seats'> & WorkshopColumns;

/**
 * `full`: the creator has reached the limit. `taken`: the id belongs to another creator or to a removed offering.
 * `closed`: the account is closed. `moved`: the payee is new to the account, and `mayMovePayments` is false.
 */
type Insertion = { offering: Offering; isNew: boolean } | 'full' | 'taken' | 'closed' | 'moved';

/** `unknown`: the ids are not exactly the creator's offerings. `stale`: the order has another version. */
type Reordering = OfferingList | 'unknown' | 'stale';

@Injectable()
export class OfferingsRepository {
  constructor(
    private readonly prisma: Database,
    private readonly payees: Payees,
  ) {}

  /** Stores a new offering; idempotent by id. A creator has at most `maxOfferings`. */
  insert(
    { id = randomUUID(), state = defaultOfferingState, ...draft }: OwnedDraft,
    { maxOfferings, mayMovePayments }: { maxOfferings: number; mayMovePayments: boolean },
  ): Promise<Insertion> {
    const { creatorId, paymentUrl } = draft;
    return this.prisma.$transaction(async (tx): Promise<Insertion> => {
      // The lock serializes a creator's inserts. Otherwise two concurrent ones could both pass the limit.
      await lockAccount(tx, creatorId);
      if (await tx.closedAccount.findUnique({ where: { uid: creatorId } })) return 'closed';
      const stored = await tx.offering.findUnique({ where: { id } });
      if (stored?.creatorId === creatorId) return { offering: toOffering(stored), isNew: false };
      if (stored || (await tx.removedOffering.findUnique({ where: { id } }))) return 'taken';
      if ((await tx.offering.count({ where: { creatorId } })) >= maxOfferings) return 'full';
      const standing = await this.payees.standing(tx, creatorId, null, { state, paymentUrl });
      if (standing === 'new' && !mayMovePayments) return 'moved';
      // `assignSlug` replaces this slug once the row exists, since slugs refer to it.
      const data = { ...draft, id, state, slug: id, files: storedFiles([], draft.files) };
      // Another creator may insert the same id concurrently, under another lock.
      const [made] = await tx.offering.createManyAndReturn({ data, skipDuplicates: true });
      if (!made) return 'taken';
      const row = await assignSlug(tx, made);
      await announce(tx, null, row);
      await this.payees.record(tx, null, row, standing);
      return { offering: toOffering(row), isNew: true };
    });
  }

  /**
   * Null: no such offering, or another version. `moved`: the payee is new to the account, and `mayMovePayments` is false.
   * A new title gives a new slug, and the former slug still finds the offering.
   */
  update(
    { id, creatorId }: Named,
    { editedVersion, ...changes }: Changes,
    { mayMovePayments, requestId }: { mayMovePayments: boolean; requestId: string | undefined },
  ): Promise<Offering | null | 'moved'> {
    return this.prisma.$transaction(async (tx) => {
      await lockAccount(tx, creatorId);
      const before = await tx.offering.findUnique({ where: { id } });
      if (before && (await isRequestDone(tx, requestId))) return toOffering(before);
      if (!before || before.version !== (editedVersion ?? before.version)) return null;
      const { state = before.state, paymentUrl } = changes;
      const standing = await this.payees.standing(tx, creatorId, before, { state, paymentUrl });
      if (standing === 'new' && !mayMovePayments) return 'moved';
      const next = { updatedAt: new Date(), version: { increment: 1 } };
      const publicPaymentUrl = lastPublicLink(before);
      const data = { ...changes, ...next, publicPaymentUrl, files: storedFiles(before.files, changes.files) };
      // Undefined matches any version.
      const where = { id, version: editedVersion };
      const [changed] = await tx.offering.updateManyAndReturn({ where, data });
      if (!changed) return null;
      await recordRequest(tx, requestId);
      const keepsSlug = slugBase(before.title) === slugBase(changed.title);
      const row = keepsSlug ? changed : await assignSlug(tx, changed);
      await announce(tx, before, row);
      await this.payees.record(tx, before, row, standing);
      return toOffering(row);
    });
  }

  /**
   * Undoes a change of a payment link; idempotent by event id. The offering gets its former link back, or becomes a draft if
   * visitors saw no link before. The undone payees count as new from now on.
   */
  async undoLinkChange(undone: UndoneLinkChangeFacts, eventId: string): Promise<void> {
    const {
      uid,
      offeringId,
      links: [link],
      distrusted,
    } = undone;
    await this.prisma.$transaction(async (tx) => {
      if (!(await claimFirstDelivery(tx, eventId))) return;
      await lockAccount(tx, uid);
      const before = offeringId ? await tx.offering.findUnique({ where: { id: offeringId } }) : null;
      const isOwn = before?.creatorId === uid;
      if (isOwn && !isNewerThanUndo(undone, before.updatedAt, [before.paymentUrl])) {
        const next = { updatedAt: new Date(), version: { increment: 1 } };
        const restored = link && { paymentUrl: link.url, publicPaymentUrl: link.url };
        const data = { ...(restored ?? { state: 'draft', publicPaymentUrl: null }), ...next };
        const after = await tx.offering.update({ where: { id: before.id }, data });
        await announce(tx, before, after);
        await this.payees.record(tx, before, after, 'settled');
      }
      await this.payees.history.distrust(tx, uid, distrusted);
    });
  }

  /** No other service knows the key, so this creates no version and no event. */
  replaceKey(
    { id, creatorId }: Named,
    deliveryKey: string,
    requestId: string | undefined,
  ): Promise<Offering | null> {
    return this.prisma.$transaction(async (tx) => {
      await lockAccount(tx, creatorId);
      // A delayed earlier attempt must not replace the key that the creator has received.
      const isDone = await isRequestDone(tx, requestId);
      const data = isDone ? {} : { deliveryKey };
      const [row] = await tx.offering.updateManyAndReturn({ where: { id }, data });
      if (!row) return null;
      if (!isDone) await recordRequest(tx, requestId);
      return toOffering(row);
    });
  }

  /** Whether an earlier attempt of this request has succeeded. */
  isDone(requestId: string | undefined): Promise<boolean> {
    return isRequestDone(this.prisma, requestId);
  }

  async remove({ id, creatorId }: Named, requestId: string | undefined): Promise<void> {
    await this.prisma.$transaction(async (tx) => {
      // The lock makes the event carry the last version and cover, even with a concurrent edit.
      await lockAccount(tx, creatorId);
      const row = await tx.offering.findUnique({ where: { id } });
      if (!row) return;
      await tx.offering.delete({ where: { id } });
      const wasSeen = row.publishedAt !== null && !row.takenDown;
      await tx.removedOffering.create({ data: { id, creatorId: wasSeen ? creatorId : null } });
      await recordRequest(tx, requestId);
      await tx.$executeRaw`
        UPDATE offering_order SET ids = array_remove(ids, ${id}::uuid), pinned_id = nullif(pinned_id, ${id}::uuid)
         WHERE creator_id = ${creatorId}::uuid`;
      await announce(tx, row, null);
      await this.payees.record(tx, row, null, 'settled');
    });
  }

  /** Deletes the offerings of an account, and records the closing so that none is created again. */
  async close(creatorId: string, at: string, eventId: string): Promise<void> {
    await this.prisma.$transaction(async (tx) => {
      if (!(await claimFirstDelivery(tx, eventId))) return;
      await lockAccount(tx, creatorId);
      const account = { uid: creatorId, closedAt: at };
      await tx.closedAccount.createMany({ data: [account], skipDuplicates: true });
      await tx.$queryRaw`SELECT 1 FROM offering WHERE creator_id = ${creatorId}::uuid ORDER BY id FOR UPDATE`;
      const rows = await tx.offering.findMany({ where: { creatorId } });
      const sales = await tx.sale.deleteMany({ where: { creatorId } });
      await tx.offering.deleteMany({ where: { creatorId } });
      await tx.offeringOrder.deleteMany({ where: { creatorId } });
      await tx.takenDownCreator.deleteMany({ where: { uid: creatorId } });
      await tx.formerSlug.deleteMany({ where: { creatorId } });
      await tx.removedOffering.updateMany({ where: { creatorId }, data: { creatorId: null } });
      await this.payees.history.forgetAccount(tx, creatorId);
      await tx.removedOffering.createMany({ data: rows.map(({ id }) => ({ id })), skipDuplicates: true });
      for (const row of rows) await announce(tx, row, null);
      // A duplicate shares the cover of its original.
      const covers = rows.flatMap(({ coverImage }) => readablePicture(coverImage)?.id ?? []);
      const counts = {
        offerings: rows.length,
        pictures: new Set(covers).size,
        files: rows.flatMap(({ files }) => readFiles(files)).length,
      };
      await recordEvent(tx, offerings.erased, { uid: creatorId, counts, sales: sales.count });
    });
  }

  async find(id: string): Promise<Offering | null> {
    const row = await this.prisma.offering.findUnique({ where: { id } });
    return row && toOffering(row);
  }

  async findMany(ids: readonly string[]): Promise<Offering[]> {
    return (await this.prisma.offering.findMany({ where: { id: { in: [...ids] } } })).map(toOffering);
  }

  /** Hides an offering from all but its owner, or shows it again, unless this decision or a later one is stored. */
  async setTakenDown(
    { id, creatorId }: Named,
    takenDown: boolean,
    at: string,
    eventId: string,
  ): Promise<void> {
    await this.prisma.$transaction(async (tx) => {
      if (!(await claimFirstDelivery(tx, eventId))) return;
      await lockAccount(tx, creatorId);
      const before = await tx.offering.findUnique({ where: { id, creatorId } });
      const reviewedAt = new Date(at);
      if (!before || (before.reviewedAt && before.reviewedAt >= reviewedAt)) return;
      const next = { takenDown, reviewedAt, version: { increment: 1 } };
      await announce(tx, before, await tx.offering.update({ where: { id }, data: next }));
    });
  }

  /** The limit of offerings bounds the list. */
  listByCreator(creatorId: string): Promise<OfferingList> {
    return listOf(this.prisma, creatorId);
  }

  /** The versions of the offerings stay, so that a new order does not conflict with an open edit. */
  reorder(
    creatorId: string,
    { ids, pinnedId, editedVersion }: OfferingOrder,
    requestId: string | undefined,
  ): Promise<Reordering> {
    return this.prisma.$transaction(async (tx): Promise<Reordering> => {
      await lockAccount(tx, creatorId);
      const stored = await listOf(tx, creatorId);
      const { items, version } = stored;
      if (await isRequestDone(tx, requestId)) return stored;
      if (editedVersion !== undefined && editedVersion !== version) return 'stale';
      const named = new Set(pinnedId === null ? ids : [...ids, pinnedId]);
      if (ids.length !== items.length || named.size !== ids.length) return 'unknown';
      if (items.some(({ id }) => !named.has(id))) return 'unknown';
      const [first] = ids;
      if (!first) return stored;
      const order = { ids, pinnedId, version: version + 1 };
      await tx.offeringOrder.upsert({
        where: { creatorId },
        create: { creatorId, ...order },
        update: order,
      });
      await recordRequest(tx, requestId);
      // An event about one unchanged offering makes caches reload the list.
      const row = await tx.offering.findUnique({ where: { id: first } });
      await announce(tx, row, row);
      return listOf(tx, creatorId);
    });
  }
}

async function listOf(tx: Prisma.TransactionClient, creatorId: string): Promise<OfferingList> {
  // Read first, so that the returned version is never newer than the returned order.
  const order = await tx.offeringOrder.findUnique({ where: { creatorId } });
  const sorted = await tx.$queryRaw<{ id: string }[]>`
    SELECT offering.id FROM offering LEFT JOIN offering_order USING (creator_id)
     WHERE creator_id = ${creatorId}::uuid ORDER BY ${Prisma.raw(displayOrderSql)}`;
  const rows = await tx.offering.findMany({ where: { creatorId } });
  const byId = new Map(rows.map((row) => [row.id, toOffering(row)]));
  const items = sorted.flatMap(({ id }) => byId.get(id) ?? []);
  // The pinned offering may be removed between the two reads.
  const pinnedId = order?.pinnedId && byId.has(order.pinnedId) ? order.pinnedId : null;
  return { items, pinnedId, version: order?.version ?? 1 };
}

const readFields = readerOf(Offering);

function toOffering({
  publicPaymentUrl: _,
  reviewedAt: __,
  startsAt,
  endsAt,
  timeZone,
  ...row
}: Row): Offering {
  return {
    ...readFields(row),
    ...workshopOf({ ...row, startsAt, endsAt, timeZone }),
    state: readableState(row.state),
    files: readFiles(row.files),
    createdAt: row.createdAt.toISOString(),
    publishedAt: row.publishedAt?.toISOString() ?? null,
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** The new value of the column; undefined if the change does not mention files. */
function storedFiles(stored: unknown, changes: readonly FileChange[] | undefined) {
  if (!changes) return undefined;
  const files = applyFileChanges(readFiles(stored), changes, new Date());
  return withUnreadableFiles(files, stored) as Prisma.InputJsonArray;
}

/** Records the event of a change, with the change in the number of public offerings. */
async function announce(tx: Prisma.TransactionClient, before: Row | null, after: Row | null): Promise<void> {
  const row = after ?? before;
  if (!row) return;
  const publicChange = Number(isPublic(after)) - Number(isPublic(before));
  const { id, creatorId, coverImage, files } = toOffering(row);
  const version = after ? after.version : row.version + 1;
  // The event also lists files that only another release can read, so that their uploads stay in use.
  const unreadable = unreadableFiles(row.files).flatMap((one) => one.id ?? []);
  const fileIds = [...new Set([...files.map((delivered) => delivered.id), ...unreadable])];
  const uploads = { coverImageId: coverImage?.id ?? null, fileIds };
  const tally = publicChange === 0 ? undefined : await tallyOf(tx, creatorId);
  const facts: OfferingFacts = { id, creatorId, ...uploads, publicChange, tally, version };
  // Recorded first, so that search drops the title before the event of the offering makes caches reload.
  if (after && publicChange === -1) await announceWithdrawal(tx, after);
  const kept = publicChange === 1 ? offerings.published : offerings.changed;
  await recordEvent(tx, after ? kept : offerings.removed, facts);
}

const isPublic = (row: Row | null) => row !== null && isPublicRow(row);
