import { isPublicState, type LinkListing, offerings } from '@stoa/contracts';
import { recordEvent } from '@stoa/messaging';
import type { Offering as Row, PrismaClient } from './generated/prisma/client.ts';
import { readableState } from './readable-row.ts';

const batch = 200;

/** The links of offerings, to be announced once for each version. */
export class LinkListings {
  constructor(private readonly prisma: PrismaClient) {}

  /** Announces the links of some offerings that have changed since they were announced. */
  async announceSome(): Promise<void> {
    await this.prisma.$transaction(async (tx) => {
      const taken = await tx.$queryRaw<{ id: string }[]>`
        DELETE FROM unlisted_page WHERE id IN (SELECT id FROM unlisted_page LIMIT ${batch} FOR UPDATE SKIP LOCKED)
        RETURNING id`;
      if (taken.length === 0) return;
      // A statement of its own: it sees what was committed before the rows were taken.
      const rows = await tx.offering.findMany({ where: { id: { in: taken.map(({ id }) => id) } } });
      for (const row of rows) await recordEvent(tx, offerings.linksListed, listingOf(row));
    });
  }
}

function listingOf({ id, creatorId, title, version, state, takenDown, paymentUrl }: Row): LinkListing {
  const isPublic = !takenDown && isPublicState(readableState(state));
  const payment = { kind: 'payment' as const, label: 'Access Now', url: paymentUrl };
  return { uid: creatorId, offeringId: id, title, version, links: isPublic ? [payment] : [] };
}
