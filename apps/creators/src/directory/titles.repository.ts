import { Injectable } from '@nestjs/common';
import { Database } from '../database.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { titleText, withoutMark } from './search-text.ts';

export interface OfferingTitle {
  readonly uid: string;
  readonly offeringId: string;
  /** Null if the offering is not public. */
  readonly title: string | null;
  readonly version: number;
}

/** The longest text of all titles of a creator. A scan reads every row whole, so longer texts would slow each search. */
const maxCharacters = 4000;
/** Days after which no late event about an offering can arrive. */
const hiddenDays = 30;

/** The titles of public offerings, for the search. */
@Injectable()
export class Titles {
  constructor(private readonly prisma: Database) {}

  /** Stores the title of an offering, unless a later version is stored or the account is closed. */
  async upsert({ uid, offeringId, title, version }: OfferingTitle): Promise<void> {
    const text = title === null ? '' : titleText(title);
    await this.prisma.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${uid}, 0))`;
      if (await tx.closedAccount.findUnique({ where: { uid } })) return;
      const noted = await tx.$executeRaw`
        INSERT INTO offering_title AS known (offering_id, creator_id, search_text, version)
        VALUES (${offeringId}::uuid, ${uid}::uuid, ${text}, ${version}::int)
        ON CONFLICT (offering_id) DO UPDATE
           SET search_text = excluded.search_text, version = excluded.version, listed_at = excluded.listed_at
         WHERE known.version < excluded.version`;
      if (noted === 0) return;
      const titles = await titlesOf(tx, uid);
      await tx.creator.updateMany({
        where: { uid, titleText: { not: titles } },
        data: { titleText: titles },
      });
    });
  }

  /** Deletes offerings that are no longer public. Until then, their versions reject late events. */
  async deleteHidden(): Promise<void> {
    const before = new Date(Date.now() - hiddenDays * 24 * 60 * 60 * 1000);
    await this.prisma.offeringTitle.deleteMany({ where: { searchText: '', listedAt: { lt: before } } });
  }
}

/** The titles of a creator on separate lines, the latest change first. The caller holds the creator's lock. */
export async function titlesOf(tx: Prisma.TransactionClient, creatorId: string): Promise<string> {
  const rows = await tx.offeringTitle.findMany({
    where: { creatorId, searchText: { not: '' } },
    orderBy: [{ listedAt: 'desc' }, { offeringId: 'asc' }],
    select: { searchText: true },
  });
  let room = maxCharacters;
  const kept = rows.filter(({ searchText }) => (room -= searchText.length + 1) >= 0);
  return kept.map(({ searchText }) => withoutMark(searchText)).join('\n');
}
