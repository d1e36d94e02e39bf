import {
  inWords,
  limits,
  type OfferingEntry,
  type Picture,
  type PublicOffering,
  type PublicOfferingList,
  publicStates,
  type Thumbnail,
} from '@stoa/contracts';
import { ReadPool, type Statement } from '@stoa/platform';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { OfferingsConfig } from './offerings.config.ts';
import { creatorsOrder, shownOrder } from './offering-order.ts';
import { readablePicture, readableType } from './readable-row.ts';
import { hasEnded, isSoldOut, workshopFields } from './workshop.ts';

export type PublicList = PublicOfferingList & { readonly creatorId: string };
export type ThumbnailList = { readonly creatorId: string; readonly items: Thumbnail[] };

const isoTime = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
/** Of a row of `offering`. */
export const isPublic = `state IN (${publicStates.map((state) => `'${state}'`).join(', ')}) AND NOT taken_down`;
const columns = `id, creator_id AS "creatorId", title, description, price, type,
  CASE WHEN ${isSoldOut} THEN 'sold_out' ELSE state END AS state,
  CASE WHEN ${isSoldOut} OR ${hasEnded} THEN '' ELSE payment_url END AS "paymentUrl", ${workshopFields},
  cover_image AS "coverImage", coalesce(slug, id::text) AS slug, ${isoTime('created_at')} AS "createdAt",
  ${isoTime('published_at')} AS "publishedAt"`;

/** Of each creator as they have ordered them, without a pin for what has ended. Bounded by what a creator may list. */
const listOfCreators: Statement = {
  name: 'public-offerings',
  text: `SELECT ${columns}, coalesce(id = pinned_id, false) AND NOT ${hasEnded} AS pinned FROM offering LEFT JOIN offering_order USING (creator_id)
          WHERE creator_id = ANY ($1::uuid[]) AND ${isPublic} ORDER BY creator_id, ${shownOrder}`,
};

/** The first covers of each creator, whatever has ended meanwhile; LATERAL ends the walk through one's offerings at what a card has room for. */
const coversOfCreators: Statement = {
  name: 'public-covers',
  text: `SELECT creator_id AS "creatorId", cover_image AS "coverImage"
           FROM unnest($1::uuid[]) AS asked (creator_id) CROSS JOIN LATERAL (
             SELECT cover_image, row_number() OVER (ORDER BY ${creatorsOrder}) AS place
               FROM offering LEFT JOIN offering_order USING (creator_id)
              WHERE creator_id = asked.creator_id AND ${isPublic} AND cover_image IS NOT NULL
              ORDER BY place LIMIT ${limits.cardThumbnails}) AS cover
          ORDER BY creator_id, place`,
};

/** By a slug that is or was its own; $3 is the same as an id, where it is one. */
const bySlug: Statement = {
  name: 'public-offering',
  text: `SELECT ${columns} FROM offering WHERE creator_id = $1::uuid AND ${isPublic} AND id = coalesce(
           (SELECT offering_id FROM offering_slug WHERE creator_id = $1::uuid AND slug = $2), $3::uuid)`,
};

const entries: Statement = {
  name: 'sitemap-entries',
  text: `SELECT creator_id AS "creatorId", coalesce(slug, id::text) AS slug, ${isoTime('updated_at')} AS "updatedAt"
           FROM offering WHERE creator_id = ANY ($1::uuid[]) AND ${isPublic}
          ORDER BY creator_id, created_at DESC, id DESC LIMIT ${limits.sitemapOfferings}`,
};

const seen: Statement = {
  name: 'published-offering',
  text: `SELECT 1 FROM offering
          WHERE id = $2::uuid AND creator_id = $1::uuid AND published_at IS NOT NULL AND NOT taken_down
         UNION ALL SELECT 1 FROM removed_offering WHERE id = $2::uuid AND creator_id = $1::uuid`,
};

/** As wide as a card shows one on the densest screens. */
const widestThumbnail = 192;

const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What visitors read: one prepared statement, however many creators are asked for. */
@Injectable()
export class PublicOfferingsRepository implements OnApplicationShutdown {
  private readonly pool: ReadPool;

  constructor(config: OfferingsConfig) {
    this.pool = new ReadPool(config);
  }

  /** A list for each of them, empty for who offers nothing. */
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

  /** A list for each who has a cover to show. */
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

  /** Whether visitors see it or have seen it, also where it is removed since, and no operator has hidden it. */
  async wasPublished(creatorId: string, id: string): Promise<boolean> {
    return (await this.pool.query(seen, [creatorId, id])).length > 0;
  }

  /** What a sitemap says of the offerings of these creators. */
  listEntries(creatorIds: readonly string[]): Promise<OfferingEntry[]> {
    return this.pool.query<OfferingEntry>(entries, [creatorIds]);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }
}

function readable(row: PublicOffering): PublicOffering {
  const { type, coverImage, schedule } = row;
  return {
    ...row,
    type: readableType(type),
    coverImage: readablePicture(coverImage),
    schedule: schedule && inWords(schedule),
  };
}

function thumbnailOf(picture: Picture | null): Thumbnail[] {
  if (!picture) return [];
  const { id: _id, width, height, widths, ...shown } = picture;
  const few = widths.filter((one) => one <= widestThumbnail);
  // A picture from before there were small ones.
  const kept = few.length > 0 ? few : [Math.min(...widths)];
  const most = Math.max(...kept);
  return [{ ...shown, widths: kept, width: most, height: scaled(height, most / width) }];
}

/** A height of at least one pixel: no panorama is too flat for that. */
const scaled = (height: number, factor: number): number => Math.max(1, Math.round(height * factor));
