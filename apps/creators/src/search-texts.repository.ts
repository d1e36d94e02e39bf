import { type Creator as Row, Prisma, type PrismaClient } from './generated/prisma/client.ts';
import { lock } from './offering-counts.repository.ts';
import { foldedMark, searchText, titleOf, titleText } from './search-text.ts';
import { titlesOf } from './titles.repository.ts';

// Each row leaves entries in the index of words, and edits of the same creators wait for a batch.
const batch = 200;

// The predicates of the migration's indexes, which know this mark.
const unfolded = Prisma.raw(`left(search_text, ${foldedMark.length}) <> '${foldedMark}'`);

type Profile = Pick<Row, 'uid' | 'username' | 'displayName' | 'bio' | 'niches'>;

/** Search texts that an earlier release has folded, until they are folded as now. */
export class SearchTexts {
  constructor(private readonly prisma: PrismaClient) {}

  /** Folds some profiles again; 0 where there are none left. */
  async foldProfiles(): Promise<number> {
    return this.prisma.$transaction(async (tx) => {
      const rows = await tx.$queryRaw<Profile[]>`
        SELECT uid, username, display_name AS "displayName", bio, niches FROM creator
         WHERE ${unfolded} ORDER BY uid LIMIT ${batch} FOR UPDATE SKIP LOCKED`;
      await tx.$executeRaw`
        UPDATE creator SET search_text = folded.text
          FROM unnest(${rows.map(({ uid }) => uid)}::uuid[], ${rows.map(searchText)}::text[]) AS folded (uid, text)
         WHERE creator.uid = folded.uid`;
      return rows.length;
    });
  }

  /** Folds the titles of some creators again, under the lock that each title is noted under; 0 where there are none left. */
  async foldTitles(): Promise<number> {
    const due = await this.prisma.$queryRaw<{ uid: string }[]>`
      SELECT DISTINCT creator_id AS uid FROM (
        SELECT creator_id FROM offering_title WHERE search_text <> '' AND ${unfolded}
         ORDER BY creator_id LIMIT ${batch}) AS due`;
    for (const { uid } of due) await this.#foldTitlesOf(uid);
    return due.length;
  }

  async #foldTitlesOf(creatorId: string): Promise<void> {
    await this.prisma.$transaction(async (tx) => {
      await lock(tx, creatorId);
      const rows = await tx.offeringTitle.findMany({ where: { creatorId, searchText: { not: '' } } });
      const texts = rows.map((row) => titleText(titleOf(row.searchText)));
      await tx.$executeRaw`
        UPDATE offering_title AS known SET search_text = folded.text
          FROM unnest(${rows.map(({ offeringId }) => offeringId)}::uuid[], ${texts}::text[]) AS folded (id, text)
         WHERE known.offering_id = folded.id AND known.search_text <> folded.text`;
      const titles = await titlesOf(tx, creatorId);
      await tx.creator.updateMany({
        where: { uid: creatorId, titleText: { not: titles } },
        data: { titleText: titles },
      });
    });
  }
}
