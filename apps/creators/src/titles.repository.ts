import type { Prisma, PrismaClient } from './generated/prisma/client.ts';
import { foldedMark, titleText } from './search-text.ts';

export interface ListedTitle {
  readonly uid: string;
  readonly offeringId: string;
  /** Null where visitors do not see the offering. */
  readonly title: string | null;
  readonly version: number;
}

/** As much of all titles of a creator as a search looks through: every row that is walked past is read whole. */
const mostCharacters = 4000;
/** After these days nothing of an offering that nobody sees comes late any more. */
const unseenDays = 30;

/** What the offerings that visitors see are called, for the search. */
export class Titles {
  constructor(private readonly prisma: PrismaClient) {}

  /** Notes what an offering is called as of a version of it, unless a later one was noted or the account is gone. */
  async list({ uid, offeringId, title, version }: ListedTitle): Promise<void> {
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

  /** Forgets offerings that nobody sees: their versions were kept for what might come late. */
  async forgetUnseen(): Promise<void> {
    const before = new Date(Date.now() - unseenDays * 24 * 60 * 60 * 1000);
    await this.prisma.offeringTitle.deleteMany({ where: { searchText: '', listedAt: { lt: before } } });
  }
}

/** The titles of a creator, each in lines of its own, those that changed last first; to be read under the creator's lock. */
export async function titlesOf(tx: Prisma.TransactionClient, creatorId: string): Promise<string> {
  const rows = await tx.offeringTitle.findMany({
    where: { creatorId, searchText: { not: '' } },
    orderBy: [{ listedAt: 'desc' }, { offeringId: 'asc' }],
    select: { searchText: true },
  });
  let room = mostCharacters;
  const kept = rows.filter(({ searchText }) => (room -= searchText.length + 1) >= 0);
  return kept.map(({ searchText }) => searchText.replaceAll(foldedMark, '')).join('\n');
}
