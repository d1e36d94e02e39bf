import {
  type Creator,
  type CreatorFacts,
  creators,
  type PayeeFacts,
  type ProfileChanges,
  type UndoneLinkChangeFacts,
  isNewerThanUndo,
} from '@stoa/contracts';
import {
  claimFirstDelivery,
  isRequestDone,
  newEvent,
  recordEvent,
  recordRequest,
  requestInboxKey,
} from '@stoa/messaging';
import { clientOptions, ownPool, poolOptions, ServicePool } from '@stoa/platform';
import { count as countOne, metrics } from '@stoa/telemetry';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { PrismaPg } from '@prisma/adapter-pg';
import { CreatorsConfig } from './creators.config.ts';
import { type Creator as Row, Prisma, PrismaClient } from './generated/prisma/client.ts';
import { changeCreator } from './creators.statements.ts';
import { LinkListings } from './link-listings.repository.ts';
import { type LinkedProfile, restoredColumns, shownLinks, urlsOf } from './payment-links.ts';
import { Payments } from './payments.repository.ts';
import { noLinks, readablePicture, readableProfile } from './readable-row.ts';
import { lock, OfferingCounts } from './offering-counts.repository.ts';
import { refuseReserved, reserve, ReservedUsernames } from './reserved-usernames.repository.ts';
import { Reviews } from './reviews.repository.ts';
import { profileText, searchText } from './search-text.ts';
import { SearchTexts } from './search-texts.repository.ts';
import { Titles, titlesOf } from './titles.repository.ts';
import { Visits } from './visits.repository.ts';

type Account = Pick<Creator, 'uid' | 'username' | 'email' | 'emailVerified' | 'displayName'> & {
  /** When the token was issued that says so. */
  readonly claimsIssuedAt: string | undefined;
};

/** A creator as the database has them. */
export type StoredCreator = Omit<Creator, 'isPublic'>;

/** The creator, and what must be true of them for a change. */
interface Conditions {
  readonly uid: string;
  readonly email?: string;
  readonly emailVerified?: boolean;
  readonly version?: number | undefined;
  /** No later token has said their address. */
  readonly claimsIssuedAt?: string | null;
  /** No visitor sees other links than these, neither before nor after it. */
  readonly links?: Pick<ProfileChanges, 'paygates' | 'links'>;
  /** No earlier try of this request has changed them; that this one has is noted with the change. */
  readonly requestId?: string | undefined;
}

export interface Opened {
  creator: StoredCreator;
  /** Made by this very call. */
  isNew: boolean;
}

@Injectable()
export class CreatorsRepository implements OnApplicationShutdown {
  readonly visits: Visits;
  readonly reviews: Reviews;
  readonly linkListings: LinkListings;
  readonly counts: OfferingCounts;
  readonly titles: Titles;
  readonly reserved: ReservedUsernames;
  readonly searchTexts: SearchTexts;
  readonly #payments = new Payments();
  private readonly prisma: PrismaClient;
  /** Which of the published creators visitors find. */
  private readonly proved: { emailVerified?: true };

  constructor(config: CreatorsConfig) {
    this.proved = config.PUBLISH_NEEDS_PROOF ? { emailVerified: true } : {};
    // Each connection plans the statement of an edit once: what it says costs more to plan than to do.
    const statementNameGenerator = ({ sql }: { sql: string }) =>
      sql === changeCreator ? 'change-creator' : '';
    const options = { ...ownPool, statementNameGenerator };
    const adapter = new PrismaPg(new ServicePool(poolOptions(config)), options);
    this.prisma = new PrismaClient({ adapter, ...clientOptions });
    this.visits = new Visits(this.prisma);
    this.reviews = new Reviews(this.prisma);
    this.linkListings = new LinkListings(this.prisma);
    this.counts = new OfferingCounts(this.prisma);
    this.titles = new Titles(this.prisma);
    this.reserved = new ReservedUsernames(this.prisma);
    this.searchTexts = new SearchTexts(this.prisma);
  }

  /**
   * The account's creator, made when it is not there; null when another account has the username, `reserved` when a closed
   * one had it.
   */
  async open(account: Account, requestId?: string): Promise<Opened | null | 'closed' | 'reserved'> {
    const known = await this.prisma.creator.findUnique({ where: { uid: account.uid } });
    const { email, claimsIssuedAt = null } = account;
    // A token is minutes old: it may still say that an address is not proved which an event has proved since.
    const emailVerified =
      account.emailVerified ||
      (known?.email === email && known.emailVerified) ||
      (await this.isProved(this.prisma, account));
    const isOld = claimsIssuedAt && known?.claimsIssuedAt && new Date(claimsIssuedAt) < known.claimsIssuedAt;
    const same = known?.email === email && known.emailVerified === emailVerified;
    const columns = { email, email_verified: emailVerified, claims_issued_at: claimsIssuedAt };
    const stored =
      known && !same && !isOld
        ? await this.#change({ uid: account.uid, claimsIssuedAt }, columns)
        : known && toCreator(known);
    if (stored) return { creator: stored, isNew: false };
    const [creator, isNew] = await this.prisma.$transaction(async (tx) => {
      await lock(tx, account.uid);
      if (await tx.closedAccount.findUnique({ where: { uid: account.uid } }))
        return ['closed', false] as const;
      const there = await tx.creator.count({ where: { uid: account.uid } });
      if (there === 0 && (await refuseReserved(tx, account.username))) return ['reserved', false] as const;
      const counted = await tx.offeringCount.findUnique({ where: { creatorId: account.uid } });
      const row = {
        ...account,
        emailVerified: emailVerified || (await this.isProved(tx, account)),
        claimsIssuedAt,
        socialLinks: noLinks,
        published: false,
        searchText: searchText({ ...account, bio: '', niches: [] }),
        titleText: await titlesOf(tx, account.uid),
        offeringCount: counted?.count ?? 0,
      };
      const { count } = await tx.creator.createMany({ data: [row], skipDuplicates: true });
      const creator = await tx.creator.findUnique({ where: { uid: account.uid } });
      if (creator && count === 1) {
        await recordEvent(tx, creators.opened, factsOf(creator));
        await recordRequest(tx, requestId);
      }
      return [creator && toCreator(creator), count === 1] as const;
    });
    if (isNew) countOne(metrics.creatorsOpened);
    return creator === null || typeof creator === 'string' ? creator : { creator, isNew };
  }

  /** Whether an earlier try of this request has done it. */
  isDone(requestId: string | undefined): Promise<boolean> {
    return isRequestDone(this.prisma, requestId);
  }

  /**
   * Absent pictures, links, palette, layout and way of contact stay what they are; naming a way of contact publishes the
   * profile. Null where there is no such creator of such a version; `moved`, by their fields, where links lead visitors to
   * payees that are new to the account, and may not.
   */
  async update(
    uid: string,
    { displayName, bio, niches, editedVersion: version, ...changes }: ProfileChanges,
    { mayMovePayments, requestId }: { mayMovePayments: boolean; requestId: string | undefined },
  ): Promise<StoredCreator | null | { moved: string[] }> {
    const columns = {
      display_name: displayName,
      bio,
      niches,
      profile_image: changes.profileImage,
      header_image: changes.headerImage,
      paygates: changes.paygates,
      social_links: changes.socialLinks,
      contact_by: changes.contactBy,
      palette: changes.palette,
      layout: changes.layout,
      links: changes.links,
      published: changes.contactBy && true,
    };
    const text = profileText({ displayName, bio, niches });
    // Nearly every edit leaves the links as they are and needs no second statement.
    const { paygates, links } = changes;
    const conditions = { uid, version, links: { paygates, links }, requestId };
    const edited = await this.#change(conditions, columns, text).catch(async (error: unknown) => {
      // Two tries at once: the one that waited for the row finds the inbox taken.
      if (await this.isDone(requestId)) return null;
      throw error;
    });
    if (edited) return edited;
    return this.prisma.$transaction(async (tx) => {
      const before = await lockProfile(tx, uid);
      if (before && (await isRequestDone(tx, requestId))) {
        const stored = await tx.creator.findUnique({ where: { uid } });
        return stored && toCreator(stored);
      }
      if (!before || before.version !== (version ?? before.version)) return null;
      const publishes = before.published || changes.contactBy !== undefined;
      const next = { published: publishes, paygates, links: links ?? before.links };
      const move = await this.#payments.examine(tx, uid, before, next);
      if (!mayMovePayments && move.newFields.length > 0) return { moved: move.newFields };
      const changed = await this.#change({ uid, version, requestId }, columns, text, tx);
      if (changed) await this.#payments.follow(tx, uid, move);
      return changed;
    });
  }

  /** Puts links of before back, once for each event. What was taken back needs a fresh log-in from now on. */
  async undoMoves(undone: UndoneLinkChangeFacts, eventId: string): Promise<void> {
    const { uid, offeringId, distrusted = [] } = undone;
    await this.prisma.$transaction(async (tx) => {
      if (!(await claimFirstDelivery(tx, eventId))) return;
      const before = await lockProfile(tx, uid);
      if (
        before &&
        offeringId === null &&
        !isNewerThanUndo(undone, before.updatedAt, urlsOf(shownLinks(before)))
      ) {
        const columns = restoredColumns(undone);
        await this.#change({ uid }, columns, null, tx);
        await this.#payments.restore(tx, uid, before, { ...before, ...columns });
      }
      await this.#payments.history.distrust(tx, uid, distrusted);
    });
  }

  /** Notes what the pages of another service lead to. */
  async notePayee(payee: PayeeFacts): Promise<void> {
    await this.prisma.$transaction((tx) => this.#payments.history.note(tx, 'offerings', payee));
  }

  async forgetOldPayees(): Promise<void> {
    await this.#payments.history.forgetOld(this.prisma);
  }

  isPublic({ published, takenDown, emailVerified }: StoredCreator): boolean {
    return published && !takenDown && (emailVerified || !this.proved.emailVerified);
  }

  async find(where: { uid: string } | { username: string }): Promise<StoredCreator | null> {
    const row = await this.prisma.creator.findUnique({ where });
    return row && toCreator(row);
  }

  /**
   * Notes which address is proved, unless a later one is known to be, and that of the account's record if it has this address by
   * now; otherwise whoever gives it this address finds it proved. Said twice it changes nothing.
   */
  async verifyEmail(uid: string, email: string, at: string): Promise<void> {
    const isLatest = await this.prisma.$transaction(async (tx) => {
      await lock(tx, uid);
      if (await tx.closedAccount.findUnique({ where: { uid } })) return false;
      const noted = await tx.$executeRaw`
        INSERT INTO proved_address AS known (uid, email, proved_at) VALUES (${uid}::uuid, ${email}, ${new Date(at)})
        ON CONFLICT (uid) DO UPDATE SET email = excluded.email, proved_at = excluded.proved_at
         WHERE known.proved_at <= excluded.proved_at`;
      return noted === 1;
    });
    if (!isLatest) return;
    const where = { uid, email, emailVerified: false };
    // Only where that makes the profile public does anybody have to hear of it.
    if (this.proved.emailVerified) await this.#change(where, { email_verified: true });
    else await this.prisma.creator.updateMany({ where, data: { emailVerified: true } });
  }

  private async isProved(
    tx: Pick<Prisma.TransactionClient, 'provedAddress'>,
    { uid, email }: Pick<Account, 'uid' | 'email'>,
  ): Promise<boolean> {
    return (await tx.provedAddress.count({ where: { uid, email } })) > 0;
  }

  /** Removes what there is of an account, and remembers that there shall be nothing. */
  async close(uid: string, at: string, eventId: string): Promise<void> {
    await this.prisma.$transaction(async (tx) => {
      if (!(await claimFirstDelivery(tx, eventId))) return;
      await lock(tx, uid);
      await tx.closedAccount.createMany({ data: [{ uid, closedAt: at }], skipDuplicates: true });
      await tx.provedAddress.deleteMany({ where: { uid } });
      await tx.offeringCount.deleteMany({ where: { creatorId: uid } });
      await tx.offeringTitle.deleteMany({ where: { creatorId: uid } });
      await this.#payments.history.forgetAccount(tx, uid);
      // Locked, so that the event carries the last version also when an edit comes at the same time.
      const [row] = await tx.$queryRaw<{ username: string; takenDown: boolean }[]>`
        SELECT username, taken_down AS "takenDown" FROM creator WHERE uid = ${uid}::uuid FOR UPDATE`;
      if (row) await reserve(tx, { uid, ...row });
      const creator = row && (await tx.creator.delete({ where: { uid } }));
      if (creator)
        await recordEvent(tx, creators.removed, factsOf({ ...creator, version: creator.version + 1 }));
      const counts = {
        profiles: creator ? 1 : 0,
        pictures: [creator?.profileImage, creator?.headerImage].filter(Boolean).length,
      };
      await recordEvent(tx, creators.erased, { uid, counts });
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.prisma.$disconnect();
  }

  /** Changes these columns and announces it, in one statement. */
  async #change(
    { uid, ...only }: Conditions,
    columns: Readonly<Record<string, unknown>>,
    text: string | null = null,
    tx: Prisma.TransactionClient = this.prisma,
  ): Promise<StoredCreator | null> {
    const { id, subject, headers } = newEvent(creators.changed);
    const conditions = [uid, only.email ?? null, only.emailVerified ?? null];
    const values = [JSON.stringify(columns), text, ...conditions, id, subject, headers, only.version ?? null];
    values.push(only.claimsIssuedAt ?? null, only.links ? JSON.stringify(only.links) : null);
    values.push(requestInboxKey(only.requestId));
    const [row] = await tx.$queryRawUnsafe<Row[]>(changeCreator, ...values);
    return row ? toCreator(row) : null;
  }
}

type LockedProfile = LinkedProfile & { readonly version: number; readonly updatedAt: Date };

/** Its links and version, which nobody changes before this transaction is over. */
async function lockProfile(tx: Prisma.TransactionClient, uid: string): Promise<LockedProfile | undefined> {
  const [profile] = await tx.$queryRaw<LockedProfile[]>`
    SELECT published, paygates, links, version, updated_at AS "updatedAt" FROM creator WHERE uid = ${uid}::uuid FOR UPDATE`;
  return profile;
}

function toCreator({ claimsIssuedAt: _, searchText: __, titleText: ___, ...row }: Row): StoredCreator {
  return {
    ...row,
    ...readableProfile(row),
    // A removal may be counted before the publication it belongs to.
    offeringCount: Math.max(0, row.offeringCount),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function factsOf(row: Row): CreatorFacts {
  return {
    uid: row.uid,
    username: row.username,
    displayName: row.displayName,
    profileImageId: readablePicture(row.profileImage)?.id ?? null,
    headerImageId: readablePicture(row.headerImage)?.id ?? null,
    version: row.version,
  };
}
