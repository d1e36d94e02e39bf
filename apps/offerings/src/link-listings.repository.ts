import { endOf, type LinkListing, offerings } from '@stoa/contracts';
import { recordEvent } from '@stoa/messaging';
import { isDatabaseOutage } from '@stoa/platform';
import { Logger } from '@nestjs/common';
import type { Offering as Row, Prisma, PrismaClient } from './generated/prisma/client.ts';
import { isPublicRow, readableState } from './readable-row.ts';
import { workshopOf } from './workshop.ts';

/** Takes the pages that are due, those first that were due first. */
export const takeDuePages = `
  DELETE FROM unlisted_page WHERE id = ANY (ARRAY(
    SELECT id FROM unlisted_page WHERE due_at <= now() ORDER BY due_at, id LIMIT 200 FOR UPDATE SKIP LOCKED))
  RETURNING id`;

/** The links of offerings, to be announced once for each version. */
export class LinkListings {
  readonly #logger = new Logger(LinkListings.name);

  constructor(private readonly prisma: PrismaClient) {}

  /**
   * Announces the links of some offerings that have changed since they were announced. One that cannot be announced keeps none
   * of the others waiting: it is left out until it changes again.
   */
  async announceSome(): Promise<void> {
    try {
      await this.#announce((tx) => tx.$queryRawUnsafe(takeDuePages));
    } catch (error) {
      if (isDatabaseOutage(error)) throw error;
      await this.#announceEach();
    }
  }

  async #announceEach(): Promise<void> {
    const due = await this.prisma.$queryRaw<{ id: string }[]>`
      SELECT id FROM unlisted_page WHERE due_at <= now() ORDER BY due_at LIMIT 200`;
    for (const { id } of due)
      await this.#announce(
        (tx) =>
          tx.$queryRaw`DELETE FROM unlisted_page WHERE id = ${id}::uuid AND due_at <= now() RETURNING id`,
      ).catch((reason: unknown) => this.#leaveOut(id, reason));
  }

  async #announce(take: (tx: Prisma.TransactionClient) => Promise<{ id: string }[]>): Promise<void> {
    await this.prisma.$transaction(async (tx) => {
      const taken = await take(tx);
      if (taken.length === 0) return;
      // A statement of its own: it sees what was committed before the rows were taken.
      const rows = await tx.offering.findMany({ where: { id: { in: taken.map(({ id }) => id) } } });
      for (const row of rows) {
        const listing = listingOf(row);
        await recordEvent(tx, offerings.linksListed, listing);
        if (listing.links.length > 0) await listAgainAtEnd(tx, row);
      }
    });
  }

  async #leaveOut(id: string, reason: unknown): Promise<void> {
    if (isDatabaseOutage(reason)) throw reason;
    this.#logger.error(reason, `the link of offering ${id} cannot be announced`);
    await this.prisma.unlistedPage.deleteMany({ where: { id } });
  }
}

/** When a workshop is over its link leads nobody anywhere, and no new version says so. */
async function listAgainAtEnd(tx: Prisma.TransactionClient, row: Row): Promise<void> {
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
  const links = isPublic && isFollowed(row) ? [payment] : [];
  return { uid: creatorId, offeringId: id, title, version, links, isPublic };
}

/** Whether visitors see the link of what they see: not of what is sold out, full or over. */
function isFollowed(row: Row): boolean {
  if (readableState(row.state) === 'sold_out') return false;
  const { schedule, seats } = workshopOf(row);
  return seats !== 0 && !schedule?.ended;
}
