import { isDatabaseOutage } from '@stoa/platform';
import { Injectable, Logger } from '@nestjs/common';
import { Database } from '../database.ts';
import { type Creator as Row, Prisma } from '../generated/prisma/client.ts';
import { lockCreator } from './offering-counts.repository.ts';
import { foldVersionMark, searchText, titleOf, titleText } from './search-text.ts';
import { titlesOf } from './titles.repository.ts';

// Profiles per transaction. Edits of these creators wait until it ends.
const batch = 200;

// Must equal the condition of the indexes in the migration, so that Postgres uses them.
const unfolded = Prisma.raw(`left(search_text, ${foldVersionMark.length}) <> '${foldVersionMark}'`);

type Profile = Pick<Row, 'uid' | 'username' | 'displayName' | 'bio' | 'niches'>;

const start = '00000000-0000-0000-0000-000000000000';

/** Converts search texts of another release to this one's form (backfill). An error for one text does not stop the others. */
@Injectable()
export class SearchTexts {
  readonly #logger = new Logger(SearchTexts.name);

  constructor(private readonly prisma: Database) {}

  /** Converts the next batch of profiles after the uid `after`. Returns the last uid, or null if none was left. */
  async foldProfiles(after: string = start): Promise<string | null> {
    const due = await this.prisma.$queryRaw<{ uid: string }[]>`
      SELECT uid FROM creator WHERE ${unfolded} AND uid > ${after}::uuid ORDER BY uid LIMIT ${batch}`;
    const uids = due.map(({ uid }) => uid);
    if (uids.length === 0) return null;
    try {
      await this.#foldProfiles(uids);
    } catch (error) {
      if (isDatabaseOutage(error)) throw error;
      for (const uid of uids) await this.#foldAlone(uid, 'profile', () => this.#foldProfiles([uid]));
    }
    return uids.at(-1) ?? null;
  }

  /** Converts the titles of the next batch of creators. Returns the last uid, or null if none was left. */
  async foldTitles(after: string = start): Promise<string | null> {
    const due = await this.prisma.$queryRaw<{ uid: string }[]>`
      SELECT DISTINCT creator_id AS uid FROM (
        SELECT creator_id FROM offering_title WHERE search_text <> '' AND ${unfolded} AND creator_id > ${after}::uuid
         ORDER BY creator_id LIMIT ${batch}) AS due ORDER BY uid`;
    for (const { uid } of due) await this.#foldAlone(uid, 'titles', () => this.#foldTitlesOf(uid));
    return due.at(-1)?.uid ?? null;
  }

  async #foldAlone(uid: string, what: string, fold: () => Promise<void>): Promise<void> {
    try {
      await fold();
    } catch (error) {
      if (isDatabaseOutage(error)) throw error;
      this.#logger.error(error, `could not fold the ${what} of creator ${uid} for the search`);
    }
  }

  async #foldProfiles(uids: readonly string[]): Promise<void> {
    await this.prisma.$transaction(async (tx) => {
      const rows = await tx.$queryRaw<Profile[]>`
        SELECT uid, username, display_name AS "displayName", bio, niches FROM creator
         WHERE ${unfolded} AND uid = ANY(${uids}::uuid[]) ORDER BY uid FOR UPDATE SKIP LOCKED`;
      await tx.$executeRaw`
        UPDATE creator SET search_text = folded.text
          FROM unnest(${rows.map(({ uid }) => uid)}::uuid[], ${rows.map(searchText)}::text[]) AS folded (uid, text)
         WHERE creator.uid = folded.uid`;
    });
  }

  async #foldTitlesOf(creatorId: string): Promise<void> {
    await this.prisma.$transaction(async (tx) => {
      await lockCreator(tx, creatorId);
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
