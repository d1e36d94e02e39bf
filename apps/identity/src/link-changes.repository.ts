import {
  identity,
  limits,
  type LinkChange,
  type LinkChangeFacts,
  PaymentLink,
  type UndoneLinkChange,
} from '@stoa/contracts';
import { claimFirstDelivery, isRequestDone, recordEvent, recordRequest } from '@stoa/messaging';
import type { LinkChange as Row, Prisma, PrismaClient } from './generated/prisma/client.ts';

/** A change whose mail is due, and to whom it goes. */
export type UnmailedLinkChange = Pick<LinkChange, 'id' | 'offeringId' | 'before' | 'after'> & {
  readonly at: Date;
  readonly address: string;
  readonly username: string;
};

type Unmailed = Omit<UnmailedLinkChange, 'before' | 'after'> & { before: unknown; after: unknown };

const dayMs = 86_400_000;
/** A mail that was refused again and again is tried about once in an hour. */
const longestLeases = 20;

const daysAgo = (days: number) => new Date(Date.now() - days * dayMs);
const Links = PaymentLink.array();

/** The log of where payments were led, and the mails about it. */
export class LinkChanges {
  constructor(private readonly prisma: PrismaClient) {}

  /** Notes a change. An account that is gone, or about to go, has no log. */
  async record(change: LinkChangeFacts, eventId: string): Promise<void> {
    const { uid } = change;
    await this.prisma.$transaction(async (tx) => {
      if (!(await claimFirstDelivery(tx, eventId))) return;
      if (await tx.accountDeletion.findUnique({ where: { uid } })) return;
      if (!(await tx.account.findUnique({ where: { uid } }))) return;
      const today = await tx.linkChange.count({ where: { uid, at: { gte: daysAgo(1) } } });
      const mail = today < limits.linkMailsPerDay ? {} : { mailDueAt: null };
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

  /** Takes a change that is to be mailed, for one try under this hash of a token. Only a proved address gets mail. */
  async takeUnmailed(leaseMs: number, tokenHash: string): Promise<UnmailedLinkChange | null> {
    const [change] = await this.prisma.$queryRaw<Unmailed[]>`
      UPDATE link_change SET
        mail_due_at = now() + ${leaseMs} * interval '1 millisecond'
                      * least(2 ^ cardinality(token_hashes), ${longestLeases}),
        token_hashes = array_append(token_hashes, ${tokenHash})
      FROM account
      WHERE account.uid = link_change.uid AND link_change.id = (
        SELECT due.id FROM link_change AS due JOIN account USING (uid)
        WHERE due.mail_due_at < now() + interval '1 millisecond' AND due.undone_at IS NULL
          AND due.at >= ${daysAgo(limits.linkUndoDays)} AND proved_email IS NOT NULL
        ORDER BY due.mail_due_at, due.id LIMIT 1 FOR UPDATE OF due SKIP LOCKED)
      RETURNING link_change.id, offering_id AS "offeringId", before, after, at, proved_email AS address, username`;
    return change
      ? { ...change, before: Links.parse(change.before), after: Links.parse(change.after) }
      : null;
  }

  async markMailed(id: string): Promise<void> {
    await this.prisma.linkChange.updateMany({ where: { id }, data: { mailDueAt: null } });
  }

  /**
   * Takes the change of this link back, and has its owner's services told. Later changes of the same links are over with it:
   * whoever made this one may have made them. Null when there is no such link, or it was used.
   */
  undo(tokenHash: string, requestId: string | undefined): Promise<UndoneLinkChange | null> {
    return this.prisma.$transaction(async (tx) => {
      const open = { undoneAt: null };
      const change = await tx.linkChange.findFirst({
        where: { tokenHashes: { has: tokenHash }, at: { gte: daysAgo(limits.linkUndoDays) } },
      });
      if (!change) return null;
      const { id, uid, offeringId, at } = change;
      const undone = { undoneAt: new Date(), mailDueAt: null };
      // Of two who come at once the second waits here for the first, and finds nothing.
      const { count } = await tx.linkChange.updateMany({ where: { ...open, id }, data: undone });
      const links = Links.parse(change.before);
      if (count === 0) return (await isRequestDone(tx, requestId)) ? { offeringId, links } : null;
      await recordRequest(tx, requestId);
      const later = { ...open, uid, offeringId, at: { gte: at } };
      await tx.linkChange.updateMany({ where: later, data: undone });
      await recordEvent(tx, identity.linkChangeUndone, { uid, offeringId, links });
      return { offeringId, links };
    });
  }
}

export async function forgetOldLinkChanges(tx: Prisma.TransactionClient): Promise<void> {
  await tx.linkChange.deleteMany({ where: { at: { lt: daysAgo(limits.linkChangeDays) } } });
}

function toLinkChange({ id, offeringId, before, after, at, undoneAt }: Row): LinkChange {
  return {
    ...{ id, offeringId, before: Links.parse(before), after: Links.parse(after) },
    at: at.toISOString(),
    undoneAt: undoneAt?.toISOString() ?? null,
  };
}
