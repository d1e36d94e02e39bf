import { creators, type LinkListing, type ListedLink, Uid, Version } from '@stoa/contracts';
import { recordEvent } from '@stoa/messaging';
import { isDatabaseOutage } from '@stoa/platform';
import { Injectable, Logger } from '@nestjs/common';
import { z } from 'zod';
import { Database } from '../database.ts';
import { noLinks, readablePaygates, readableSocialLinks } from '../rows/readable-row.ts';

const batch = 200;

/** A row of the table `creator` as JSON. A row of another release may lack columns. */
const PageRow = z.object({
  uid: Uid,
  version: Version,
  published: z.boolean(),
  taken_down: z.boolean(),
  paygates: z.unknown(),
  social_links: z.unknown(),
  /** Links of the creator's own choice. */
  links: z.array(z.object({ label: z.string(), url: z.string() })).catch([]),
});
type PageRow = z.infer<typeof PageRow>;

const networks = { youtube: 'YouTube', tiktok: 'TikTok', instagram: 'Instagram' } as const;

/** Publishes the links of profiles as events, once for each version. */
@Injectable()
export class LinkListings {
  readonly #logger = new Logger(LinkListings.name);

  constructor(private readonly prisma: Database) {}

  /**
   * Publishes the links of a batch of changed profiles, the earliest change first. If a profile causes an error, it is left
   * out until it changes again.
   * @returns milliseconds until the next batch, if more profiles wait
   */
  async announceBatch(): Promise<number | void> {
    const pages = await this.prisma.$queryRaw<{ id: string }[]>`
      SELECT id FROM unlisted_page ORDER BY due_at, id LIMIT ${batch}`;
    const ids = pages.map(({ id }) => id);
    if (ids.length === 0) return;
    try {
      await this.#announce(ids);
    } catch (error) {
      if (isDatabaseOutage(error)) throw error;
      for (const id of ids) await this.#announce([id]).catch((reason: unknown) => this.#leaveOut(id, reason));
    }
    if (ids.length === batch) return 0;
  }

  async #announce(pages: readonly string[]): Promise<void> {
    await this.prisma.$transaction(async (tx) => {
      const taken = await tx.$queryRaw<{ id: string }[]>`
        DELETE FROM unlisted_page WHERE id IN (
          SELECT id FROM unlisted_page WHERE id = ANY(${pages}::uuid[]) FOR UPDATE SKIP LOCKED)
        RETURNING id`;
      if (taken.length === 0) return;
      const ids = taken.map(({ id }) => id);
      // A separate statement: it sees all changes that were committed before the rows were locked.
      const rows = await tx.$queryRaw<{ row: unknown }[]>`
        SELECT to_jsonb(creator) AS row FROM creator WHERE uid = ANY(${ids}::uuid[])`;
      for (const { row } of rows) await recordEvent(tx, creators.linksListed, listingOf(PageRow.parse(row)));
    });
  }

  async #leaveOut(id: string, reason: unknown): Promise<void> {
    if (isDatabaseOutage(reason)) throw reason;
    this.#logger.error(reason, `could not announce the links of profile ${id}`);
    await this.prisma.unlistedPage.deleteMany({ where: { id } });
  }
}

function listingOf({ uid, version, published, taken_down: takenDown, ...row }: PageRow): LinkListing {
  const isPublic = published && !takenDown;
  const page = { uid, offeringId: null, title: '', version, isPublic };
  if (!isPublic) return { ...page, links: [] };
  const social = readableSocialLinks(row.social_links ?? noLinks);
  const links: ListedLink[] = [
    ...readablePaygates(row.paygates).map(({ name, url }) => ({
      kind: 'support' as const,
      label: name,
      url,
    })),
    ...Object.entries(networks).flatMap(([network, label]) => {
      const url = social[network as keyof typeof networks];
      return url ? [{ kind: 'social' as const, label, url }] : [];
    }),
    ...row.links.map((link) => ({ kind: 'link' as const, ...link })),
  ];
  return { ...page, links };
}
