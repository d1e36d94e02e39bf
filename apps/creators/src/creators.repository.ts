import {
  type BrowseQuery,
  ContactBy,
  type Creator,
  type CreatorFacts,
  creators,
  type Event,
  Niche,
  Paygate,
  Picture,
  type ProfileChanges,
  type ProfileEntry,
  SocialLinks,
} from '@stoa/contracts';
import { firstDelivery, recordEvent } from '@stoa/messaging';
import { clientOptions, poolOptions } from '@stoa/platform';
import { count as countOne, metrics } from '@stoa/telemetry';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { PrismaPg } from '@prisma/adapter-pg';
import { CreatorsConfig } from './creators.config.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { type Creator as Row, Prisma, PrismaClient } from './generated/prisma/client.ts';
import { literal, searchText } from './search-text.ts';

type Account = Pick<Creator, 'uid' | 'username' | 'email' | 'emailVerified' | 'displayName'>;

/** A creator as the database has them. */
export type StoredCreator = Omit<Creator, 'isPublic'>;

export interface Opened {
  creator: StoredCreator;
  /** Made by this very call. */
  isNew: boolean;
}

const noLinks: SocialLinks = { youtube: null, tiktok: null, instagram: null };

@Injectable()
export class CreatorsRepository implements OnApplicationShutdown {
  private readonly prisma: PrismaClient;
  /** Which of the creators visitors find. */
  private readonly published: { emailVerified?: true };

  constructor(config: CreatorsConfig) {
    this.published = config.PUBLISH_NEEDS_PROOF ? { emailVerified: true } : {};
    this.prisma = new PrismaClient({ adapter: new PrismaPg(poolOptions(config)), ...clientOptions });
  }

  /** The account's creator, made when it is not there; null when another account has the username. */
  async open(account: Account): Promise<Opened | null | 'closed'> {
    const known = await this.find({ uid: account.uid });
    const { email } = account;
    // A token is minutes old: it may still say that an address is not proved which an event has proved since.
    const emailVerified = account.emailVerified || (known?.email === email && known.emailVerified);
    const same = known?.email === email && known.emailVerified === emailVerified;
    const stored =
      known && !same
        ? await this.#change({ uid: account.uid }, { email, emailVerified }, creators.changed)
        : known;
    if (stored) return { creator: stored, isNew: false };
    const [creator, isNew] = await this.prisma.$transaction(async (tx) => {
      await lock(tx, account.uid);
      if (await tx.closedAccount.findUnique({ where: { uid: account.uid } }))
        return ['closed', false] as const;
      const row = { ...account, socialLinks: noLinks, searchText: searchText({ ...account, bio: '' }) };
      const { count } = await tx.creator.createMany({ data: [row], skipDuplicates: true });
      const creator = await tx.creator.findUnique({ where: { uid: account.uid } });
      if (creator && count === 1) await recordEvent(tx, creators.opened, factsOf(creator));
      return [creator && toCreator(creator, 0), count === 1] as const;
    });
    if (isNew) countOne(metrics.creatorsOpened);
    return creator === null || creator === 'closed' ? creator : { creator, isNew };
  }

  update(uid: string, { profileImage, ...changes }: ProfileChanges): Promise<StoredCreator | null> {
    // Absent keeps the picture; Prisma wants to be told which null is meant by null.
    const image = profileImage === null ? Prisma.DbNull : profileImage;
    return this.#change({ uid }, { ...changes, profileImage: image }, creators.changed);
  }

  async findPublic(username: string): Promise<StoredCreator | null> {
    const creator = await this.find({ username });
    return creator && this.isPublic(creator) ? creator : null;
  }

  isPublic({ emailVerified }: StoredCreator): boolean {
    return emailVerified || !this.published.emailVerified;
  }

  async find(where: { uid: string } | { username: string }): Promise<StoredCreator | null> {
    const row = await this.prisma.creator.findUnique({ where });
    if (!row) return null;
    const counted = await this.prisma.offeringCount.findUnique({ where: { creatorId: row.uid } });
    return toCreator(row, counted?.count ?? 0);
  }

  /** One page, newest first, with the count of all that match. */
  async browse({ search, niche, cursor, limit }: BrowseQuery) {
    const matching: Prisma.CreatorWhereInput = {
      ...this.published,
      ...(search ? { searchText: { contains: literal(search) } } : {}),
      ...(niche ? { niches: { has: niche } } : {}),
    };
    const after = cursor ? afterPosition(cursor) : {};
    const [total, rows] = await Promise.all([
      this.prisma.creator.count({ where: matching }),
      this.prisma.creator.findMany({
        where: { AND: [matching, after] },
        orderBy: [{ createdAt: 'desc' }, { uid: 'desc' }],
        take: limit + 1,
      }),
    ]);
    const counts = await this.#counts(rows.map(({ uid }) => uid));
    const items = rows.slice(0, limit).map((row) => toCreator(row, counts.get(row.uid) ?? 0));
    const last = items.at(-1);
    return { items, total, nextCursor: rows.length > limit && last ? encodeCursor(last) : null };
  }

  /** Profiles in the order of their making, oldest first, so that new ones only ever come at the end. */
  async listProfiles(limit: number, after?: string): Promise<ProfileEntry[]> {
    const from = after ? decodeCursor(after) : undefined;
    const rows = await this.prisma.creator.findMany({
      // As in afterPosition: the bound is where the index starts.
      where: {
        ...this.published,
        ...(from && {
          createdAt: { gte: from.createdAt },
          OR: [{ createdAt: { gt: from.createdAt } }, { createdAt: from.createdAt, uid: { gt: from.uid } }],
        }),
      },
      orderBy: [{ createdAt: 'asc' }, { uid: 'asc' }],
      select: { username: true, updatedAt: true },
      take: limit,
    });
    return rows.map(({ username, updatedAt }) => ({ username, updatedAt: updatedAt.toISOString() }));
  }

  /** The position of every `part`-th profile that is followed by another. */
  async surveyProfiles(part: number): Promise<string[]> {
    const rows = await this.prisma.$queryRaw<{ createdAt: Date; uid: string }[]>`
      SELECT created_at AS "createdAt", uid FROM (
        SELECT created_at, uid, row_number() OVER walk AS place, lead(uid) OVER walk AS next
          FROM creator WHERE email_verified OR NOT ${this.published.emailVerified ?? false}
        WINDOW walk AS (ORDER BY created_at, uid)) AS walked
       WHERE place % ${part}::int = 0 AND next IS NOT NULL ORDER BY created_at, uid`;
    return rows.map(({ createdAt, uid }) => encodeCursor({ createdAt: createdAt.toISOString(), uid }));
  }

  /** Notes that the address is proved, if it is still this account's. Said twice it changes nothing. */
  async proveAddress(uid: string, email: string): Promise<void> {
    const where = { uid, email, emailVerified: false };
    // Only where that makes the profile public does anybody have to hear of it.
    if (this.published.emailVerified) await this.#change(where, { emailVerified: true }, creators.changed);
    else await this.prisma.creator.updateMany({ where, data: { emailVerified: true } });
  }

  async countOffering(creatorId: string, change: number, eventId: string): Promise<void> {
    await this.prisma.$transaction(async (tx) => {
      if (!(await firstDelivery(tx, eventId))) return;
      if (await tx.closedAccount.findUnique({ where: { uid: creatorId } })) return;
      const { count } = await tx.offeringCount.upsert({
        where: { creatorId },
        create: { creatorId, count: change },
        update: { count: { increment: change } },
      });
      await recordEvent(tx, creators.counted, { uid: creatorId, offeringCount: count });
    });
  }

  /** Removes what there is of an account, and remembers that there shall be nothing. */
  async close(uid: string, at: string, eventId: string): Promise<void> {
    await this.prisma.$transaction(async (tx) => {
      if (!(await firstDelivery(tx, eventId))) return;
      await lock(tx, uid);
      await tx.closedAccount.createMany({ data: [{ uid, closedAt: at }], skipDuplicates: true });
      await tx.offeringCount.deleteMany({ where: { creatorId: uid } });
      // Locked, so that the event carries the last version also when an edit comes at the same time.
      const [row] = await tx.$queryRaw<{ version: number }[]>`
        SELECT version FROM creator WHERE uid = ${uid}::uuid FOR UPDATE`;
      const creator = row && (await tx.creator.delete({ where: { uid } }));
      if (creator)
        await recordEvent(tx, creators.removed, factsOf({ ...creator, version: creator.version + 1 }));
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.prisma.$disconnect();
  }

  async #change(
    where: { uid: string; email?: string; emailVerified?: boolean },
    changes: Prisma.CreatorUpdateInput,
    event: Event,
  ): Promise<StoredCreator | null> {
    const { uid } = where;
    return this.prisma.$transaction(async (tx) => {
      const data = { ...changes, updatedAt: new Date(), version: { increment: 1 } };
      const [changed] = await tx.creator.updateManyAndReturn({ where, data });
      if (!changed) return null;
      const row = await tx.creator.update({ where: { uid }, data: { searchText: searchText(changed) } });
      await recordEvent(tx, event, factsOf(row));
      const counted = await tx.offeringCount.findUnique({ where: { creatorId: uid } });
      return toCreator(row, counted?.count ?? 0);
    });
  }

  async #counts(uids: string[]): Promise<Map<string, number>> {
    const rows = await this.prisma.offeringCount.findMany({ where: { creatorId: { in: uids } } });
    return new Map(rows.map(({ creatorId, count }) => [creatorId, count]));
  }
}

// Making and closing go one after the other, or a late sign-in could bring back what is gone.
async function lock(tx: Prisma.TransactionClient, uid: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${uid}, 0))`;
}

function afterPosition(cursor: string): Prisma.CreatorWhereInput {
  const { createdAt, uid } = decodeCursor(cursor);
  // The bound is what the index can start from; the OR alone has every page walk the list from its top.
  return {
    createdAt: { lte: createdAt },
    OR: [{ createdAt: { lt: createdAt } }, { createdAt, uid: { lt: uid } }],
  };
}

function toCreator(row: Row, offeringCount: number): StoredCreator {
  return {
    ...row,
    profileImage: Picture.nullable().parse(row.profileImage),
    headerImage: Picture.nullable().parse(row.headerImage),
    // One odd record must not take a page of the list away.
    paygates: Paygate.array().catch([]).parse(row.paygates),
    socialLinks: SocialLinks.catch(noLinks).parse(row.socialLinks),
    niches: row.niches.flatMap((niche) => Niche.safeParse(niche).data ?? []),
    contactBy: ContactBy.parse(row.contactBy),
    // A removal may be counted before the publication it belongs to.
    offeringCount: Math.max(0, offeringCount),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function factsOf(row: Row): CreatorFacts {
  const image = Picture.nullable().parse(row.profileImage);
  return {
    uid: row.uid,
    username: row.username,
    displayName: row.displayName,
    profileImageId: image?.id ?? null,
    version: row.version,
  };
}
