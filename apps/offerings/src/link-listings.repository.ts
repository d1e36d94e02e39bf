import { endOf, type LinkListing, offerings } from '@stoa/contracts';
import { recordEvent } from '@stoa/messaging';
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
  constructor(private readonly prisma: PrismaClient) {}

  /** Announces the links of some offerings that have changed since they were announced. */
  async announceSome(): Promise<void> {
    await this.prisma.$transaction(async (tx) => {
      const taken = await tx.$queryRawUnsafe<{ id: string }[]>(takeDuePages);
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
