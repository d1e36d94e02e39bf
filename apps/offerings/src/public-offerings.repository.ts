import type { PublicOffering } from '@stoa/contracts';
import { ReadPool, type Statement } from '@stoa/platform';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { OfferingsConfig } from './offerings.config.ts';
import { readablePicture, readableType } from './readable.row.ts';

export interface PublicList {
  readonly creatorId: string;
  readonly items: PublicOffering[];
}

/** Newest first, of each creator. Bounded by what a creator may list. */
const publicOfferings: Statement = {
  name: 'public-offerings',
  text: `
    SELECT id, creator_id AS "creatorId", title, description, price, type, payment_url AS "paymentUrl",
           cover_image AS "coverImage",
           to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt"
      FROM offering WHERE creator_id = ANY ($1::uuid[]) ORDER BY creator_id, created_at DESC, id DESC`,
};

/** What visitors read: one prepared statement, however many creators are asked for. */
@Injectable()
export class PublicOfferingsRepository implements OnApplicationShutdown {
  private readonly pool: ReadPool;

  constructor(config: OfferingsConfig) {
    this.pool = new ReadPool(config);
  }

  /** A list for each of them, empty for who offers nothing. */
  async listByCreators(creatorIds: readonly string[]): Promise<PublicList[]> {
    const rows = await this.pool.query<PublicOffering>(publicOfferings, [creatorIds]);
    const lists = new Map(creatorIds.map((creatorId) => [creatorId, [] as PublicOffering[]]));
    for (const row of rows) {
      const readable = { type: readableType(row.type), coverImage: readablePicture(row.coverImage) };
      lists.get(row.creatorId)?.push({ ...row, ...readable });
    }
    return [...lists].map(([creatorId, items]) => ({ creatorId, items }));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }
}
