import {
  defaultOfferingState,
  type DeliveredFile,
  isNewerThanUndo,
  type NewOffering,
  type Offering,
  type OfferingChanges,
  type OfferingFacts,
  type OfferingList,
  type OfferingOrder,
  offerings,
  type PayeeFacts,
  StoredFile,
  type UndoneLinkChangeFacts,
} from '@stoa/contracts';
import { claimFirstDelivery, isRequestDone, recordEvent, recordRequest } from '@stoa/messaging';
import { clientOptions, ownPool, poolOptions, ServicePool } from '@stoa/platform';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { PrismaPg } from '@prisma/adapter-pg';
import { randomUUID } from 'node:crypto';
import { type Offering as Row, Prisma, PrismaClient } from './generated/prisma/client.ts';
import { OfferingsConfig } from './offerings.config.ts';
import {
  changedFiles,
  type FileChanges,
  keepUnread,
  readFiles,
  type StoredFiles,
  unreadFiles,
} from './delivered-files.ts';
import { LinkListings } from './link-listings.repository.ts';
import { shownOrder } from './offering-order.ts';
import { PublicCounts, tallyOf } from './public-counts.repository.ts';
import { lastPublicLink } from './payment-link.ts';
import { Payments } from './payments.repository.ts';
import { ProfileTakedowns } from './profile-takedowns.repository.ts';
import { slugBase } from './slug.ts';
import { withSlug } from './slugs.repository.ts';
import { isPublicRow, readablePicture, readableState, readableType } from './readable-row.ts';
import { type WorkshopColumns, workshopOf } from './workshop.ts';

type Named = Pick<Offering, 'id' | 'creatorId'>;
/** A duplicate has the cover and the type of what it was made from, which may have neither. */
export type OwnedDraft = Omit<NewOffering, 'coverImage' | 'type' | 'schedule' | 'seats'> &
  Partial<Pick<NewOffering, 'coverImage'>> &
  WorkshopColumns &
  Pick<Offering, 'creatorId' | 'deliveryKey' | 'type'>;

type Changes = Omit<OfferingChanges, 'id' | 'schedule' | 'seats'> & WorkshopColumns;

/**
 * `full`: the creator has as many as allowed. `taken`: the id is another creator's, or of a removed offering. `closed`: the
 * account is gone. `moved`: visitors would be led to a payee that is new to the account, and may not.
 */
type Insertion = { offering: Offering; isNew: boolean } | 'full' | 'taken' | 'closed' | 'moved';

/** `unknown`: not each of the creator's offerings is named once. `stale`: the order is of another version. */
type Reordering = OfferingList | 'unknown' | 'stale';

@Injectable()
export class OfferingsRepository implements OnApplicationShutdown {
  readonly linkListings: LinkListings;
  readonly publicCounts: PublicCounts;
  readonly takedowns: ProfileTakedowns;
  private readonly payments = new Payments();
  private readonly prisma: PrismaClient;

  constructor(config: OfferingsConfig) {
    this.prisma = new PrismaClient({
      adapter: new PrismaPg(new ServicePool(poolOptions(config)), ownPool),
      ...clientOptions,
    });
    this.linkListings = new LinkListings(this.prisma);
    this.publicCounts = new PublicCounts(this.prisma);
    this.takedowns = new ProfileTakedowns(this.prisma);
  }

  /** Stores a draft, once for each id: a repeat answers what is there. A creator has at most `most` offerings. */
  insert(
    { id = randomUUID(), state = defaultOfferingState, ...draft }: OwnedDraft,
    { most, mayMovePayments }: { most: number; mayMovePayments: boolean },
  ): Promise<Insertion> {
    const { creatorId, paymentUrl } = draft;
    return this.prisma.$transaction(async (tx): Promise<Insertion> => {
      // One creator's inserts go one after another, or two at once could both pass the count.
      await lock(tx, creatorId);
      if (await tx.closedAccount.findUnique({ where: { uid: creatorId } })) return 'closed';
      const stored = await tx.offering.findUnique({ where: { id } });
      if (stored?.creatorId === creatorId) return { offering: toOffering(stored), isNew: false };
      if (stored || (await tx.removedOffering.findUnique({ where: { id } }))) return 'taken';
      if ((await tx.offering.count({ where: { creatorId } })) >= most) return 'full';
      const standing = await this.payments.standing(tx, creatorId, null, { state, paymentUrl });
      if (standing === 'new' && !mayMovePayments) return 'moved';
      const data = { ...draft, id, state, ...fileColumns({ file: null, files: null }, draft) };
      // Another creator may bring the same id at the same time, under a lock of their own.
      const [made] = await tx.offering.createManyAndReturn({ data, skipDuplicates: true });
      if (!made) return 'taken';
      const row = await withSlug(tx, made);
      await announce(tx, null, row);
      await this.payments.follow(tx, null, row, standing);
      return { offering: toOffering(row), isNew: true };
    });
  }

  /**
   * Null where there is no such offering of such a version; `moved` where payments would go elsewhere and may not. Another
   * title gives another slug, and the old one leads to it.
   */
  update(
    { id, creatorId }: Named,
    { editedVersion, ...changes }: Changes,
    { mayMovePayments, requestId }: { mayMovePayments: boolean; requestId: string | undefined },
  ): Promise<Offering | null | 'moved'> {
    return this.prisma.$transaction(async (tx) => {
      await lock(tx, creatorId);
      const before = await tx.offering.findUnique({ where: { id } });
      if (before && (await isRequestDone(tx, requestId))) return toOffering(before);
      if (!before || before.version !== (editedVersion ?? before.version)) return null;
      const { state = before.state, paymentUrl } = changes;
      const standing = await this.payments.standing(tx, creatorId, before, { state, paymentUrl });
      if (standing === 'new' && !mayMovePayments) return 'moved';
      const next = { updatedAt: new Date(), version: { increment: 1 } };
      const publicPaymentUrl = lastPublicLink(before);
      const data = { ...changes, ...next, publicPaymentUrl, ...fileColumns(before, changes) };
      // Undefined asks for no version in particular.
      const where = { id, version: editedVersion };
      const [changed] = await tx.offering.updateManyAndReturn({ where, data });
      if (!changed) return null;
      await recordRequest(tx, requestId);
      const keepsSlug = before.slug !== null && slugBase(before.title) === slugBase(changed.title);
      const row = keepsSlug ? changed : await withSlug(tx, changed);
      await announce(tx, before, row);
      await this.payments.follow(tx, before, row, standing);
      return toOffering(row);
    });
  }

  /**
   * Takes changes of where payments go back, once for each event: leads those of `offeringId` where they went before, or makes a
   * draft of it where visitors saw no link before. What was taken back needs a fresh log-in from now on.
   */
  async undoMoves(undone: UndoneLinkChangeFacts, eventId: string): Promise<void> {
    const {
      uid,
      offeringId,
      links: [link],
      distrusted = [],
    } = undone;
    await this.prisma.$transaction(async (tx) => {
      if (!(await claimFirstDelivery(tx, eventId))) return;
      await lock(tx, uid);
      const before = offeringId ? await tx.offering.findUnique({ where: { id: offeringId } }) : null;
      const isOwn = before?.creatorId === uid;
      if (isOwn && !isNewerThanUndo(undone, before.updatedAt, [before.paymentUrl])) {
        const next = { updatedAt: new Date(), version: { increment: 1 } };
        const restored = link && { paymentUrl: link.url, publicPaymentUrl: link.url };
        const data = { ...(restored ?? { state: 'draft', publicPaymentUrl: null }), ...next };
        const after = await tx.offering.update({ where: { id: before.id }, data });
        await announce(tx, before, after);
        await this.payments.follow(tx, before, after, 'settled');
      }
      await this.payments.history.distrust(tx, uid, distrusted);
    });
  }

  /** Notes what the pages of another service lead to. */
  async notePayee(payee: PayeeFacts): Promise<void> {
    await this.prisma.$transaction((tx) => this.payments.history.note(tx, 'creators', payee));
  }

  async forgetOldPayees(): Promise<void> {
    await this.payments.history.forgetOld(this.prisma);
  }

  /** Nobody follows keys, so this is no new version and no event. */
  replaceKey(
    { id, creatorId }: Named,
    deliveryKey: string,
    requestId: string | undefined,
  ): Promise<Offering | null> {
    return this.prisma.$transaction(async (tx) => {
      await lock(tx, creatorId);
      // A key that was told must not be replaced by the try before it, whose replica hung meanwhile.
      const isDone = await isRequestDone(tx, requestId);
      const data = isDone ? {} : { deliveryKey };
      const [row] = await tx.offering.updateManyAndReturn({ where: { id }, data });
      if (!row) return null;
      if (!isDone) await recordRequest(tx, requestId);
      return toOffering(row);
    });
  }

  /** Whether an earlier try of this request has done it. */
  isDone(requestId: string | undefined): Promise<boolean> {
    return isRequestDone(this.prisma, requestId);
  }

  async remove({ id, creatorId }: Named, requestId: string | undefined): Promise<void> {
    await this.prisma.$transaction(async (tx) => {
      // So that the event carries the last version and cover also when an edit comes at the same time.
      await lock(tx, creatorId);
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
      await this.payments.follow(tx, row, null, 'settled');
    });
  }

  /** Removes every offering of an account, and remembers that there shall be none. */
  async close(creatorId: string, at: string, eventId: string): Promise<void> {
    await this.prisma.$transaction(async (tx) => {
      if (!(await claimFirstDelivery(tx, eventId))) return;
      await lock(tx, creatorId);
      const account = { uid: creatorId, closedAt: at };
      await tx.closedAccount.createMany({ data: [account], skipDuplicates: true });
      await tx.$queryRaw`SELECT 1 FROM offering WHERE creator_id = ${creatorId}::uuid ORDER BY id FOR UPDATE`;
      const rows = await tx.offering.findMany({ where: { creatorId } });
      await tx.offering.deleteMany({ where: { creatorId } });
      await tx.offeringOrder.deleteMany({ where: { creatorId } });
      await tx.takenDownCreator.deleteMany({ where: { uid: creatorId } });
      await tx.formerSlug.deleteMany({ where: { creatorId } });
      await tx.removedOffering.updateMany({ where: { creatorId }, data: { creatorId: null } });
      await this.payments.history.forgetAccount(tx, creatorId);
      await tx.removedOffering.createMany({ data: rows.map(({ id }) => ({ id })), skipDuplicates: true });
      for (const row of rows) await announce(tx, row, null);
      // A duplicate shares the cover of its original.
      const covers = rows.flatMap(({ coverImage }) => readablePicture(coverImage)?.id ?? []);
      const counts = {
        offerings: rows.length,
        pictures: new Set(covers).size,
        files: rows.flatMap(readFiles).length,
      };
      await recordEvent(tx, offerings.erased, { uid: creatorId, counts });
    });
  }

  async find(id: string): Promise<Offering | null> {
    const row = await this.prisma.offering.findUnique({ where: { id } });
    return row && toOffering(row);
  }

  async findMany(ids: readonly string[]): Promise<Offering[]> {
    return (await this.prisma.offering.findMany({ where: { id: { in: [...ids] } } })).map(toOffering);
  }

  /** Hides an offering from everybody but its owner, or shows it again, unless this decision or a later one was heard of. */
  async setTakenDown(
    { id, creatorId }: Named,
    takenDown: boolean,
    at: string,
    eventId: string,
  ): Promise<void> {
    await this.prisma.$transaction(async (tx) => {
      if (!(await claimFirstDelivery(tx, eventId))) return;
      await lock(tx, creatorId);
      const before = await tx.offering.findUnique({ where: { id, creatorId } });
      const reviewedAt = new Date(at);
      if (!before || (before.reviewedAt && before.reviewedAt >= reviewedAt)) return;
      const next = { takenDown, reviewedAt, version: { increment: 1 } };
      await announce(tx, before, await tx.offering.update({ where: { id }, data: next }));
    });
  }

  /** Bounded by what a creator may list. */
  listByCreator(creatorId: string): Promise<OfferingList> {
    return listOf(this.prisma, creatorId);
  }

  /** The offerings themselves stay as they are, so no edit that is open elsewhere is refused for it. */
  reorder(
    creatorId: string,
    { ids, pinnedId, editedVersion }: OfferingOrder,
    requestId: string | undefined,
  ): Promise<Reordering> {
    return this.prisma.$transaction(async (tx): Promise<Reordering> => {
      await lock(tx, creatorId);
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
      // Who keeps the list hears of it by one of its offerings, as it was before.
      const row = await tx.offering.findUnique({ where: { id: first } });
      await announce(tx, row, row);
      return listOf(tx, creatorId);
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.prisma.$disconnect();
  }
}

async function listOf(tx: Prisma.TransactionClient, creatorId: string): Promise<OfferingList> {
  // First, so that a version that is answered is never newer than the order it stands for.
  const order = await tx.offeringOrder.findUnique({ where: { creatorId } });
  const sorted = await tx.$queryRaw<{ id: string }[]>`
    SELECT offering.id FROM offering LEFT JOIN offering_order USING (creator_id)
     WHERE creator_id = ${creatorId}::uuid ORDER BY ${Prisma.raw(shownOrder)}`;
  const rows = await tx.offering.findMany({ where: { creatorId } });
  const byId = new Map(rows.map((row) => [row.id, toOffering(row)]));
  const items = sorted.flatMap(({ id }) => byId.get(id) ?? []);
  // The release before removes offerings and knows nothing of pins.
  const pinnedId = order?.pinnedId && byId.has(order.pinnedId) ? order.pinnedId : null;
  return { items, pinnedId, version: order?.version ?? 1 };
}

async function lock(tx: Prisma.TransactionClient, creatorId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${creatorId}, 0))`;
}

function toOffering({
  publicPaymentUrl: _,
  reviewedAt: __,
  startsAt,
  endsAt,
  timeZone,
  ...row
}: Row): Offering {
  const files = readFiles(row);
  return {
    ...row,
    ...workshopOf({ ...row, startsAt, endsAt, timeZone }),
    slug: row.slug ?? row.id,
    type: readableType(row.type),
    state: readableState(row.state),
    coverImage: readablePicture(row.coverImage),
    file: first(files),
    files,
    createdAt: row.createdAt.toISOString(),
    publishedAt: row.publishedAt?.toISOString() ?? null,
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** The release before reads the first alone, so what it wrote there and what is beside it are brought into line. */
function fileColumns(stored: StoredFiles, changes: FileChanges) {
  const before = readFiles(stored);
  const files = changedFiles(before, changes, new Date()) ?? (before.length > 0 ? before : undefined);
  if (!files) return { files: undefined, file: undefined };
  const kept = keepUnread(files, before, stored) as Prisma.InputJsonArray;
  // Prisma has a word of its own for a JSON column without a value.
  return { files: kept, file: first(files) ?? Prisma.DbNull };
}

function first([file]: readonly DeliveredFile[]): StoredFile | null {
  return file ? StoredFile.parse(file) : null;
}

/** Records what became of an offering, and whether visitors see one more or one less. */
async function announce(tx: Prisma.TransactionClient, before: Row | null, after: Row | null): Promise<void> {
  const row = after ?? before;
  if (!row) return;
  const publicChange = Number(isPublic(after)) - Number(isPublic(before));
  const { id, creatorId, coverImage, file, files } = toOffering(row);
  const version = after ? after.version : row.version + 1;
  // Also what this release cannot read is delivered, by another one.
  const unread = unreadFiles(row).flatMap((one) => one.id ?? []);
  const fileIds = [...new Set([...files.map((delivered) => delivered.id), ...unread])];
  const uploads = { coverImageId: coverImage?.id ?? null, fileId: file?.id ?? null, fileIds };
  const tally = publicChange === 0 ? undefined : await tallyOf(tx, creatorId);
  const facts: OfferingFacts = { id, creatorId, ...uploads, publicChange, tally, version };
  const kept = publicChange === 1 ? offerings.published : offerings.changed;
  await recordEvent(tx, after ? kept : offerings.removed, facts);
}

const isPublic = (row: Row | null) => row !== null && isPublicRow(row);
