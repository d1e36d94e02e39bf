import {
  type Creator,
  type CreatorFacts,
  creators,
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
import { count as countOne, metrics } from '@stoa/telemetry';
import { Injectable } from '@nestjs/common';
import { CreatorsConfig } from '../creators.config.ts';
import { changeCreator } from '../rows/creators.statements.ts';
import { Database } from '../database.ts';
import type { Creator as Row, Prisma } from '../generated/prisma/client.ts';
import { type LinkedProfile, restoredColumns, shownLinks, urlsOf } from '../payments/payment-links.ts';
import { Payees } from '../payments/payees.repository.ts';
import { noLinks, readablePicture, readableProfile } from '../rows/readable-row.ts';
import { lockCreator } from '../directory/offering-counts.repository.ts';
import { isReservedUnderLock, reserve } from './reserved-usernames.repository.ts';
import { profileText, searchText } from '../directory/search-text.ts';
import { titlesOf } from '../directory/titles.repository.ts';

type Account = Pick<Creator, 'uid' | 'username' | 'email' | 'emailVerified' | 'displayName'> & {
  /** Issue time of the token with these claims. */
  readonly claimsIssuedAt: string;
};

/** A stored creator. A setting also decides whether the profile is public, so the row does not contain that. */
export type StoredCreator = Omit<Creator, 'isPublic'>;

/** A change is made only if all given conditions are true. */
interface Conditions {
  readonly uid: string;
  readonly email?: string;
  readonly emailVerified?: boolean;
  readonly version?: number | undefined;
  /** No later token has set the address. */
  readonly claimsIssuedAt?: string | null;
  /** The public links are still these, so that the change affects no payee. */
  readonly links?: Pick<ProfileChanges, 'paygates' | 'links'>;
  /** No earlier attempt of this request has succeeded. The change stores the id. */
  readonly requestId?: string | undefined;
}

export interface Opened {
  creator: StoredCreator;
  /** Whether this call has created the record. */
  isNew: boolean;
}

@Injectable()
export class CreatorsRepository {
  /** Empty if visitors may see profiles of creators who have not proved their address. */
  private readonly proved: { emailVerified?: true };

  constructor(
    private readonly prisma: Database,
    private readonly payees: Payees,
    config: CreatorsConfig,
  ) {
    this.proved = config.PUBLISH_NEEDS_PROOF ? { emailVerified: true } : {};
  }

  /**
   * Finds or creates the record of an account. Null: another account has the username. `reserved`: a closed account had it.
   * `closed`: this account itself is closed.
   */
  async open(account: Account, requestId?: string): Promise<Opened | null | 'closed' | 'reserved'> {
    const known = await this.prisma.creator.findUnique({ where: { uid: account.uid } });
    const { email, claimsIssuedAt } = account;
    // The address may have been proved after the token was issued.
    const emailVerified =
      account.emailVerified ||
      (known?.email === email && known.emailVerified) ||
      (await this.isProved(this.prisma, account));
    const isOld = known?.claimsIssuedAt && new Date(claimsIssuedAt) < known.claimsIssuedAt;
    const same = known?.email === email && known.emailVerified === emailVerified;
    const columns = { email, email_verified: emailVerified, claims_issued_at: claimsIssuedAt };
    const stored =
      known && !same && !isOld
        ? await this.#change({ uid: account.uid, claimsIssuedAt }, columns)
        : known && toCreator(known);
    if (stored) return { creator: stored, isNew: false };
    const [creator, isNew] = await this.prisma.$transaction(async (tx) => {
      await lockCreator(tx, account.uid);
      if (await tx.closedAccount.findUnique({ where: { uid: account.uid } }))
        return ['closed', false] as const;
      const there = await tx.creator.count({ where: { uid: account.uid } });
      if (there === 0 && (await isReservedUnderLock(tx, account.username)))
        return ['reserved', false] as const;
      const counted = await tx.offeringCount.findUnique({ where: { creatorId: account.uid } });
      const row = {
        ...account,
        emailVerified: emailVerified || (await this.isProved(tx, account)),
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

  isDone(requestId: string | undefined): Promise<boolean> {
    return isRequestDone(this.prisma, requestId);
  }

  /**
   * Changes a profile. Missing fields stay unchanged, and a way of contact publishes the profile. Null: no such creator, or
   * another version. `moved`: the fields with links to new payees, if `mayMovePayments` is false.
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
    // Most edits keep the links, so that this one statement is enough.
    const { paygates, links } = changes;
    const conditions = { uid, version, links: { paygates, links }, requestId };
    const edited = await this.#change(conditions, columns, text).catch(async (error: unknown) => {
      // A second concurrent attempt waits for the row, and then fails because the first has stored the request id.
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
      const change = await this.payees.compare(tx, uid, before, next);
      if (!mayMovePayments && change.newFields.length > 0) return { moved: change.newFields };
      const changed = await this.#change({ uid, version, requestId }, columns, text, tx);
      if (changed) await this.payees.record(tx, uid, change);
      return changed;
    });
  }

  /**
   * Restores the links that a change replaced, after the owner has undone the change. Its payees count as new from now on. A
   * repeated event changes nothing.
   */
  async undoLinkChange(undone: UndoneLinkChangeFacts, eventId: string): Promise<void> {
    const { uid, offeringId, distrusted } = undone;
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
        await this.payees.recordUndo(tx, uid, before, { ...before, ...columns });
      }
      await this.payees.history.distrust(tx, uid, distrusted);
    });
  }

  isPublic({ published, takenDown, emailVerified }: StoredCreator): boolean {
    return published && !takenDown && (emailVerified || !this.proved.emailVerified);
  }

  async find(where: { uid: string } | { username: string }): Promise<StoredCreator | null> {
    const row = await this.prisma.creator.findUnique({ where });
    return row && toCreator(row);
  }

  /**
   * Stores the address that the account has proved, unless a later one is stored. If the record has another address, `open`
   * finds this proof when a token changes the address.
   */
  async verifyEmail(uid: string, email: string, at: string): Promise<void> {
    const isLatest = await this.prisma.$transaction(async (tx) => {
      await lockCreator(tx, uid);
      if (await tx.closedAccount.findUnique({ where: { uid } })) return false;
      const noted = await tx.$executeRaw`
        INSERT INTO proved_address AS known (uid, email, proved_at) VALUES (${uid}::uuid, ${email}, ${new Date(at)})
        ON CONFLICT (uid) DO UPDATE SET email = excluded.email, proved_at = excluded.proved_at
         WHERE known.proved_at <= excluded.proved_at`;
      return noted === 1;
    });
    if (!isLatest) return;
    const where = { uid, email, emailVerified: false };
    // Other services need an event only if the proof makes the profile public.
    if (this.proved.emailVerified) await this.#change(where, { email_verified: true });
    else await this.prisma.creator.updateMany({ where, data: { emailVerified: true } });
  }

  private async isProved(
    tx: Pick<Prisma.TransactionClient, 'provedAddress'>,
    { uid, email }: Pick<Account, 'uid' | 'email'>,
  ): Promise<boolean> {
    return (await tx.provedAddress.count({ where: { uid, email } })) > 0;
  }

  /** Deletes the data of an account. The record of its closure prevents that anything is created again. */
  async close(uid: string, at: string, eventId: string): Promise<void> {
    await this.prisma.$transaction(async (tx) => {
      if (!(await claimFirstDelivery(tx, eventId))) return;
      await lockCreator(tx, uid);
      await tx.closedAccount.createMany({ data: [{ uid, closedAt: at }], skipDuplicates: true });
      await tx.provedAddress.deleteMany({ where: { uid } });
      await tx.offeringCount.deleteMany({ where: { creatorId: uid } });
      await tx.offeringTitle.deleteMany({ where: { creatorId: uid } });
      await this.payees.history.forgetAccount(tx, uid);
      // Locks the row, so that no edit can follow and the event contains the last version.
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

  /** Changes the columns and records the event in one statement. Returns null if a condition is false. */
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

/** Reads and locks the links and version of a profile, until the transaction ends. */
async function lockProfile(tx: Prisma.TransactionClient, uid: string): Promise<LockedProfile | undefined> {
  const [profile] = await tx.$queryRaw<LockedProfile[]>`
    SELECT published, paygates, links, version, updated_at AS "updatedAt" FROM creator WHERE uid = ${uid}::uuid FOR UPDATE`;
  return profile;
}

function toCreator({ claimsIssuedAt: _, searchText: __, titleText: ___, ...row }: Row): StoredCreator {
  return {
    ...row,
    ...readableProfile(row),
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
