import { Injectable } from '@nestjs/common';
import { Database } from '../database.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { titleText, withoutMark } from './search-text.ts';

export interface OfferingTitle {
  readonly uid: string;
  readonly offeringId: string;
  readonly title: string | null;
  readonly version: number;
}

/** Maximum characters of all titles of a creator, because longer texts would slow down each search. */
const maxCharacters = 4000;
/** Days after which no late event about an offering can arrive any more. */
const hiddenDays = 30;

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

  /** Deletes rows of offerings that are no longer public. Before that, their versions are needed to ignore late events. */
  async deleteHidden(): Promise<void> {
    const before = new Date(Date.now() - hiddenDays * 24 * 60 * 60 * 1000);
    await this.prisma.offeringTitle.deleteMany({ where: { searchText: '', listedAt: { lt: before } } });
  }
}

/** The titles of a creator, one on each line, the latest change first. The caller must hold the lock of the creator. */
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
