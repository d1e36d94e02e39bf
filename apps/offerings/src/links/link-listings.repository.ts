import { endOf, type LinkListing, offerings } from '@stoa/contracts';
import { recordEvent } from '@stoa/messaging';
import { isDatabaseOutage, nextDueMs } from '@stoa/platform';
import { Injectable, Logger } from '@nestjs/common';
import { Database } from '../database.ts';
import type { Offering as Row, Prisma } from '../generated/prisma/client.ts';
import { isPublicRow, readableState } from '../rows/readable-row.ts';
import { workshopOf } from '../rows/workshop.ts';

const batch = 200;

/** Takes a batch of due pages, the longest overdue first. */
export const takeDuePages = `
  DELETE FROM unlisted_page WHERE id = ANY (ARRAY(
    SELECT id FROM unlisted_page WHERE due_at <= now() ORDER BY due_at, id LIMIT ${batch} FOR UPDATE SKIP LOCKED))
  RETURNING id`;

/** The payment links of offerings. Each version is announced once. */
@Injectable()
export class LinkListings {
  readonly #logger = new Logger(LinkListings.name);

  constructor(private readonly prisma: Database) {}

  /**
   * Announces the links of a batch of changed offerings. An offering that cannot be announced is left out until it changes
   * again, so that it does not stop the others.
   *
   * @returns the milliseconds until the next offering is due, if there is one.
   */
  async announceBatch(): Promise<number | void> {
    const nextMs = await nextDueMs(this.prisma, { table: 'unlisted_page', open: 'true', dueAt: 'due_at' });
    try {
      const announced = await this.#announce((tx) => tx.$queryRawUnsafe(takeDuePages));
      return announced === batch ? 0 : (nextMs ?? undefined);
    } catch (error) {
      if (isDatabaseOutage(error)) throw error;
      await this.#announceEach();
      return 0;
    }
  }

  async #announceEach(): Promise<void> {
    const due = await this.prisma.$queryRaw<{ id: string }[]>`
      SELECT id FROM unlisted_page WHERE due_at <= now() ORDER BY due_at LIMIT ${batch}`;
    for (const { id } of due)
      await this.#announce(
        (tx) =>
          tx.$queryRaw`DELETE FROM unlisted_page WHERE id = ${id}::uuid AND due_at <= now() RETURNING id`,
      ).catch((reason: unknown) => this.#leaveOut(id, reason));
  }

  /** @returns the number of taken pages. */
  #announce(take: (tx: Prisma.TransactionClient) => Promise<{ id: string }[]>): Promise<number> {
    return this.prisma.$transaction(async (tx) => {
      const taken = await take(tx);
      if (taken.length === 0) return 0;
      // A separate statement, whose snapshot contains everything committed before the rows were taken.
      const rows = await tx.offering.findMany({ where: { id: { in: taken.map(({ id }) => id) } } });
      for (const row of rows) {
        const listing = listingOf(row);
        await recordEvent(tx, offerings.linksListed, listing);
        if (listing.links.length > 0) await announceAgainAtEnd(tx, row);
      }
      return taken.length;
    });
  }

  async #leaveOut(id: string, reason: unknown): Promise<void> {
    if (isDatabaseOutage(reason)) throw reason;
    this.#logger.error(reason, `could not announce the link of offering ${id}`);
    await this.prisma.unlistedPage.deleteMany({ where: { id } });
  }
}

/**
 * Announces a hidden offering in the transaction that hides it: with many other pages, the sweeper could be too late, and
 * searches would still find the title. The sweeper need not announce this version again.
 */
export async function announceWithdrawal(tx: Prisma.TransactionClient, row: Row): Promise<void> {
  await recordEvent(tx, offerings.linksListed, listingOf(row));
  await tx.unlistedPage.deleteMany({ where: { id: row.id } });
}

/** Schedules an announcement for the end of a workshop, when the link disappears without a new version. */
async function announceAgainAtEnd(tx: Prisma.TransactionClient, row: Row): Promise<void> {
  const { schedule } = workshopOf(row);
  if (!schedule) return;
  await tx.$executeRaw`
    INSERT INTO unlisted_page (id, due_at) VALUES (${row.id}::uuid, ${new Date(endOf(schedule))})
    ON CONFLICT (id) DO NOTHING`;
}

function listingOf(row: Row): LinkListing {
  const { id, creatorId, title, version, paymentUrl } = row;
  const payment = { kind: 'payment' as const, label: 'Access Now', url: paymentUrl };
  const isPublic = isPublicRow(row);
  const links = isPublic && showsPaymentLink(row) ? [payment] : [];
  return { uid: creatorId, offeringId: id, title, version, links, isPublic };
}

/** Whether a public offering shows its payment link: not if it is sold out, full or over. */
function showsPaymentLink(row: Row): boolean {
  if (readableState(row.state) === 'sold_out') return false;
  const { schedule, seats } = workshopOf(row);
  return seats !== 0 && !schedule?.ended;
}
