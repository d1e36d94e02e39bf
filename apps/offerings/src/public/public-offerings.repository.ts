import {
  withScheduleText,
  limits,
  type OfferingEntry,
  type Picture,
  PublicOffering,
  type PublicOfferingList,
  publicStates,
  type Thumbnail,
} from '@stoa/contracts';
import { ReadPool, type Statement } from '@stoa/platform';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { OfferingsConfig } from '../offerings.config.ts';
import { creatorOrderSql, displayOrderSql } from '../rows/offering-order.ts';
import { readablePicture, readerOf } from '../rows/readable-row.ts';
import { hasEndedSql, isoTimeSql, isSoldOutSql, workshopFields } from '../rows/workshop.ts';

export type PublicList = PublicOfferingList & { readonly creatorId: string };
export type ThumbnailList = { readonly creatorId: string; readonly items: Thumbnail[] };

/** A condition on a row of `offering`. */
export const isPublicSql = `state IN (${publicStates.map((state) => `'${state}'`).join(', ')}) AND NOT taken_down`;
/** The public fields whose values differ from the columns. */
const expressions: Partial<Record<string, string>> = {
  ...workshopFields,
  state: `CASE WHEN ${isSoldOutSql} THEN 'sold_out' ELSE state END`,
  paymentUrl: `CASE WHEN ${isSoldOutSql} OR ${hasEndedSql} THEN '' ELSE payment_url END`,
  createdAt: isoTimeSql('created_at'),
  publishedAt: isoTimeSql('published_at'),
} satisfies Partial<Record<keyof PublicOffering, string>>;
const columnOf = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const columns = Object.keys(PublicOffering.shape)
  .map((field) => `${expressions[field] ?? columnOf(field)} AS "${field}"`)
  .join(', ');

/** The lists of creators in display order. An ended workshop is not pinned. The limit of offerings bounds each list. */
const listOfCreators: Statement = {
  name: 'public-offerings',
  text: `SELECT ${columns}, coalesce(id = pinned_id, false) AND NOT ${hasEndedSql} AS pinned FROM offering LEFT JOIN offering_order USING (creator_id)
          WHERE creator_id = ANY ($1::uuid[]) AND ${isPublicSql} ORDER BY creator_id, ${displayOrderSql}`,
};

/** The first covers of each creator, including ended workshops. LATERAL stops at the covers that a card shows. */
const coversOfCreators: Statement = {
  name: 'public-covers',
  text: `SELECT creator_id AS "creatorId", cover_image AS "coverImage"
           FROM unnest($1::uuid[]) AS requested (creator_id) CROSS JOIN LATERAL (
             SELECT cover_image, row_number() OVER (ORDER BY ${creatorOrderSql}) AS place
               FROM offering LEFT JOIN offering_order USING (creator_id)
              WHERE creator_id = requested.creator_id AND ${isPublicSql} AND cover_image IS NOT NULL
              ORDER BY place LIMIT ${limits.cardThumbnails}) AS cover
          ORDER BY creator_id, place`,
};

/** Finds an offering by a current or former slug $2, or by its id $3. */
const bySlug: Statement = {
  name: 'public-offering',
  text: `SELECT ${columns} FROM offering WHERE creator_id = $1::uuid AND ${isPublicSql} AND id = coalesce(
           (SELECT offering_id FROM offering_slug WHERE creator_id = $1::uuid AND slug = $2), $3::uuid)`,
};

const entries: Statement = {
  name: 'sitemap-entries',
  text: `SELECT creator_id AS "creatorId", slug, ${isoTimeSql('updated_at')} AS "updatedAt"
           FROM offering WHERE creator_id = ANY ($1::uuid[]) AND ${isPublicSql}
          ORDER BY creator_id, created_at DESC, id DESC LIMIT ${limits.sitemapOfferings}`,
};

const onceSeen: Statement = {
  name: 'published-offering',
  text: `SELECT 1 FROM offering
          WHERE id = $2::uuid AND creator_id = $1::uuid AND published_at IS NOT NULL AND NOT taken_down
         UNION ALL SELECT 1 FROM removed_offering WHERE id = $2::uuid AND creator_id = $1::uuid`,
};

/** The widest thumbnail that a card needs, in pixels of the densest screens. */
const widestThumbnail = 192;

const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The reads of visitors: one prepared statement for any number of creators. */
@Injectable()
export class PublicOfferingsRepository implements OnApplicationShutdown {
  private readonly pool: ReadPool;

  constructor(config: OfferingsConfig) {
    this.pool = new ReadPool(config);
  }

  /** One list for each creator, empty for a creator without offerings. */
  async listByCreators(creatorIds: readonly string[]): Promise<PublicList[]> {
    const rows = await this.pool.query<PublicOffering & { pinned: boolean }>(listOfCreators, [creatorIds]);
    const empty = (creatorId: string): PublicList => ({ creatorId, items: [], pinnedId: null });
    const lists = new Map(creatorIds.map((creatorId) => [creatorId, empty(creatorId)]));
    for (const { pinned, ...row } of rows) {
      const list = lists.get(row.creatorId);
      list?.items.push(readable(row));
      if (list && pinned) list.pinnedId = row.id;
    }
    return [...lists.values()];
  }

  /** One list for each creator who has a cover. */
  async listThumbnails(creatorIds: readonly string[]): Promise<ThumbnailList[]> {
    type Row = { creatorId: string; coverImage: unknown };
    const rows = await this.pool.query<Row>(coversOfCreators, [creatorIds]);
    const byCreator = Map.groupBy(rows, ({ creatorId }) => creatorId);
    return [...byCreator].map(([creatorId, covers]) => ({
      creatorId,
      items: covers.flatMap(({ coverImage }) => thumbnailOf(readablePicture(coverImage))),
    }));
  }

  async find(creatorId: string, slug: string): Promise<PublicOffering | null> {
    const values = [creatorId, slug, isId.test(slug) ? slug : null];
    const [row] = await this.pool.query<PublicOffering>(bySlug, values);
    return row ? readable(row) : null;
  }

  /** Whether the offering is or was public, even if it is removed now. False if an operator has hidden it. */
  async wasPublished(creatorId: string, id: string): Promise<boolean> {
    return (await this.pool.query(onceSeen, [creatorId, id])).length > 0;
  }

  /** The sitemap entries of these creators' offerings. */
  listEntries(creatorIds: readonly string[]): Promise<OfferingEntry[]> {
    return this.pool.query<OfferingEntry>(entries, [creatorIds]);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }
}

const readFields = readerOf(PublicOffering);

function readable(row: PublicOffering): PublicOffering {
  return { ...readFields(row), schedule: row.schedule && withScheduleText(row.schedule) };
}

function thumbnailOf(picture: Picture | null): Thumbnail[] {
  if (!picture) return [];
  const { id: _id, width, height, widths, ...shown } = picture;
  const few = widths.filter((one) => one <= widestThumbnail);
  // A picture without such files uses its smallest one.
  const kept = few.length > 0 ? few : [Math.min(...widths)];
  const widest = Math.max(...kept);
  return [{ ...shown, widths: kept, width: widest, height: scaled(height, widest / width) }];
}

/** At least one pixel, even for a wide panorama. */
const scaled = (height: number, factor: number): number => Math.max(1, Math.round(height * factor));
