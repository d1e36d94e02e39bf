import {
  identity,
  limits,
  type LinkChange,
  type LinkChangeFacts,
  PaymentLink,
  payeeOf,
  type UndoneLinkChange,
  type UndoneLinkChangeFacts,
} from '@stoa/contracts';
import { claimFirstDelivery, isRequestDone, recordEvent, recordRequest } from '@stoa/messaging';
import { type DueRows, nextDueMs } from '@stoa/platform';
import { Injectable, Logger } from '@nestjs/common';
import { Database } from '../database.ts';
import { type Account, type LinkChange as Row, Prisma } from '../generated/prisma/client.ts';
import { newUndoToken, undoTokenHash } from './undo-token.ts';

type Addressee = Pick<Account, 'username' | 'displayName'> & { readonly address: string };

export type UnmailedLinkChange = Pick<LinkChange, 'id' | 'offeringId' | 'before' | 'after'> &
  Addressee & { readonly at: Date };

/** The changes in one mail, with the secret of each undo link. Empty if the mail was postponed. */
export interface UnmailedLinkChanges {
  readonly changes: readonly UnmailedLinkChange[];
  readonly tokens: readonly string[];
}

const dayMs = 86_400_000;
/** Limits the pause after failed attempts to about an hour. */
const maxBackoffFactor = 20;
/** Pause before the next mail after the daily number of mails. It doubles with each mail, up to an hour. */
const firstPauseMs = 10_000;
const longestPauseMs = 3_600_000;

const daysAgo = (days: number) => new Date(Date.now() - days * dayMs);
const Links = PaymentLink.array();

@Injectable()
export class LinkChanges implements DueRows<UnmailedLinkChanges> {
  readonly table = 'link_change';
  readonly #logger = new Logger(LinkChanges.name);

  constructor(private readonly prisma: Database) {}

  /** Records a change. It causes no mail if it follows another change that the owner can still undo. */
  async record({ follows, ...change }: LinkChangeFacts, eventId: string): Promise<void> {
    const { uid } = change;
    await this.prisma.$transaction(async (tx) => {
      if (!(await claimFirstDelivery(tx, eventId))) return;
      if (await tx.accountDeletion.findUnique({ where: { uid } })) return;
      if (!(await tx.account.findUnique({ where: { uid } }))) return;
      const mail = follows && !(await isLastUndone(tx, change)) ? { mailDueAt: null } : {};
      await tx.linkChange.createMany({ data: [{ ...change, ...mail }], skipDuplicates: true });
    });
  }

  async list(uid: string): Promise<LinkChange[]> {
    const rows = await this.prisma.linkChange.findMany({
      where: { uid, at: { gte: daysAgo(limits.linkChangeDays) } },
      orderBy: [{ at: 'desc' }, { id: 'desc' }],
      take: limits.linkChangesShown,
    });
    return rows.map(toLinkChange);
  }

  /**
   * Leases the changes for one mail, with new secrets. The mail has one change, or all waiting ones if the
   * owner got `limits.linkMailsPerDay` mails today. Owners without a proved address get none.
   */
  async take(leaseMs: number): Promise<UnmailedLinkChanges | null> {
    const taken = await this.prisma.$transaction((tx) => this.#leaseOrPostpone(tx, leaseMs));
    if (!taken) return null;
    // Parsed after the lease is stored, so that an unreadable row is postponed and does not block others.
    const readable = taken.flatMap(({ row, token }) => {
      const change = this.#read(row);
      return change ? [{ change, token }] : [];
    });
    return { changes: readable.map(({ change }) => change), tokens: readable.map(({ token }) => token) };
  }

  nextDueMs(): Promise<number | null> {
    return nextDueMs(this.prisma, { table: this.table, open: 'undone_at IS NULL', dueAt: 'mail_due_at' });
  }

  /** Returns null if a newer release wrote the row in another format. That release mails it later. */
  #read(row: Row & Addressee): UnmailedLinkChange | null {
    const [before, after] = [Links.safeParse(row.before), Links.safeParse(row.after)];
    if (before.success && after.success) return { ...row, before: before.data, after: after.data };
    this.#logger.error(`link change ${row.id} cannot be mailed by this release: its links cannot be read`);
    return null;
  }

  async markMailed(ids: readonly string[]): Promise<void> {
    const data = { mailDueAt: null, mailedAt: new Date() };
    await this.prisma.linkChange.updateMany({ where: { id: { in: [...ids] } }, data });
  }

  /**
   * Undoes a change, and all later changes of the same page, because the same thief may have made them. Other
   * pages are reset too, from the first change to a payee of this change. Null: unknown or used link.
   */
  undo(tokenHash: string, requestId: string | undefined): Promise<UndoneLinkChange | null> {
    return this.prisma.$transaction(async (tx) => {
      const change = await tx.linkChange.findFirst({
        where: { tokenHashes: { has: tokenHash }, at: { gte: daysAgo(limits.linkUndoDays) } },
      });
      if (!change) return null;
      const { id, uid, offeringId } = change;
      const now = new Date();
      const undoneAt = now.toISOString();
      const undone = { undoneAt: now, mailDueAt: null };
      // A second concurrent request waits here until the first has committed, and then updates no row.
      const { count } = await tx.linkChange.updateMany({ where: { id, undoneAt: null }, data: undone });
      const links = Links.parse(change.before);
      if (count === 0) return (await isRequestDone(tx, requestId)) ? { offeringId, links } : null;
      await recordRequest(tx, requestId);
      const since = { uid, undoneAt: null, at: { gte: change.at } };
      const later = await tx.linkChange.findMany({ where: since, orderBy: [{ at: 'asc' }, { id: 'asc' }] });
      const pages = undonePages(change, later);
      const ids = pages.flatMap((page) => page.map((row) => row.id));
      await tx.linkChange.updateMany({ where: { id: { in: ids } }, data: undone });
      const facts = pages.map(undoneFacts);
      const restored = new Set(facts.flatMap((page) => page.links.map(({ url }) => payeeOf(url))));
      const taken = pages.flat().flatMap(newLinks);
      const distrusted = [...new Set(taken.filter((url) => !restored.has(payeeOf(url))))];
      for (const page of facts)
        await recordEvent(tx, identity.linkChangeUndone, { ...page, distrusted, undoneAt });
      return { offeringId, links };
    });
  }

  async #leaseOrPostpone(
    tx: Prisma.TransactionClient,
    leaseMs: number,
  ): Promise<{ row: Row & Addressee; token: string }[] | null> {
    const due = Prisma.sql`mail_due_at < now() + interval '1 millisecond' AND undone_at IS NULL
      AND at >= ${daysAgo(limits.linkUndoDays)}`;
    const [first] = await tx.$queryRaw<{ id: string; uid: string }[]>`
      SELECT id, uid FROM link_change JOIN account USING (uid) WHERE ${due} AND proved_email IS NOT NULL
       ORDER BY mail_due_at, id LIMIT 1 FOR UPDATE OF link_change SKIP LOCKED`;
    if (!first) return null;
    const [sent] = await tx.$queryRaw<[{ mails: number; last: Date | null }]>`
      SELECT count(DISTINCT mailed_at)::int AS mails, max(mailed_at) AS last FROM link_change
       WHERE uid = ${first.uid}::uuid AND mailed_at > ${daysAgo(1)}`;
    const gathers = sent.mails >= limits.linkMailsPerDay;
    const pauseMs = Math.min(firstPauseMs * 2 ** (sent.mails - limits.linkMailsPerDay), longestPauseMs);
    const next = gathers && sent.last ? new Date(sent.last.getTime() + pauseMs) : null;
    if (next && next.getTime() > Date.now()) {
      await tx.$executeRaw`UPDATE link_change SET mail_due_at = ${next} WHERE uid = ${first.uid}::uuid AND ${due}`;
      return [];
    }
    const rows = gathers
      ? await tx.$queryRaw<{ id: string }[]>`
          SELECT id FROM link_change WHERE uid = ${first.uid}::uuid AND ${due}
           ORDER BY at, id LIMIT ${limits.linkMailChanges} FOR UPDATE SKIP LOCKED`
      : [first];
    const tokens = rows.map(newUndoToken);
    const changes = await tx.$queryRaw<(Row & Addressee)[]>`
      UPDATE link_change SET
        mail_due_at = now() + ${leaseMs} * interval '1 millisecond'
                      * least(2 ^ cardinality(token_hashes), ${maxBackoffFactor}),
        token_hashes = array_append(token_hashes, hash)
      FROM account, unnest(${rows.map(({ id }) => id)}::uuid[], ${tokens.map(undoTokenHash)}::text[]) AS taken (taken_id, hash)
      WHERE account.uid = link_change.uid AND id = taken_id
      RETURNING id, offering_id AS "offeringId", before, after, at, proved_email AS address, username,
                display_name AS "displayName"`;
    return rows.flatMap(({ id }, place) => {
      const row = changes.find((change) => change.id === id);
      return row ? [{ row, token: tokens[place] ?? '' }] : [];
    });
  }
}

/**
 * The changes to undo by page, earliest first. Other pages begin with their first change to the same payee.
 */
function undonePages(change: Row, later: readonly Row[]): [Row, ...Row[]][] {
  const payees = new Set(newLinks(change).map(payeeOf));
  const pages = new Map<string | null, [Row, ...Row[]]>([[change.offeringId, [change]]]);
  for (const row of later) {
    const page = pages.get(row.offeringId);
    if (page) page.push(row);
    else if (newLinks(row).some((url) => payees.has(payeeOf(url)))) pages.set(row.offeringId, [row]);
  }
  return [...pages.values()];
}

/**
 * Whether the owner has undone the last change to a payee of this change. The owner must then get a mail,
 * because that undo happened earlier and does not include this change.
 */
async function isLastUndone(tx: Prisma.TransactionClient, change: Omit<LinkChangeFacts, 'follows'>) {
  const since = { uid: change.uid, at: { gte: daysAgo(limits.linkUndoDays) } };
  const rows = await tx.linkChange.findMany({ where: since, orderBy: [{ at: 'desc' }, { id: 'desc' }] });
  return newLinks(change).some((url) => {
    const payee = payeeOf(url);
    const last = rows.find((row) => newLinks(row).some((other) => payeeOf(other) === payee));
    return last !== undefined && last.undoneAt !== null;
  });
}

/** The new links that lead to a payee to whom no link led before the change. */
function newLinks({ before, after }: { before: unknown; after: unknown }): string[] {
  const known = new Set(Links.parse(before).map(({ url }) => payeeOf(url)));
  return Links.parse(after)
    .map(({ url }) => url)
    .filter((url) => !known.has(payeeOf(url)));
}

function undoneFacts(page: [Row, ...Row[]]): Omit<UndoneLinkChangeFacts, 'distrusted' | 'undoneAt'> {
  const [{ uid, offeringId, before }] = page;
  const named = page.flatMap((row) => [...Links.parse(row.before), ...Links.parse(row.after)]);
  return {
    uid,
    offeringId,
    links: Links.parse(before),
    namesOwnLinks: named.some(({ place }) => place === 'own'),
  };
}

export async function deleteExpiredLinkChanges(tx: Prisma.TransactionClient): Promise<void> {
  await tx.linkChange.deleteMany({ where: { at: { lt: daysAgo(limits.linkChangeDays) } } });
}

function toLinkChange({ id, offeringId, before, after, at, undoneAt }: Row): LinkChange {
  return {
    ...{ id, offeringId, before: Links.parse(before), after: Links.parse(after) },
    at: at.toISOString(),
    undoneAt: undoneAt?.toISOString() ?? null,
  };
}
