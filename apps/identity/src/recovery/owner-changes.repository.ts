import { identity, plainAddress } from '@stoa/contracts';
import { isRequestDone, recordEvent, recordRequest } from '@stoa/messaging';
import { nextDueMs } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Database } from '../database.ts';
import type { Account, AccountChange, Prisma } from '../generated/prisma/client.ts';
import { recordSessionEnd } from '../sessions/sessions.repository.ts';

/** A change of address or password that the owner may undo. */
export interface OwnerChange {
  readonly uid: string;
  readonly kind: 'email' | 'password';
  readonly at: Date;
  /** The old and the new address, if the address changed. The user has proved the new one to Keycloak. */
  readonly from?: string;
  readonly to?: string;
}

export type UndoneChange = Pick<AccountChange, 'uid' | 'address' | 'at'>;

/** A change that is not mailed yet, with the names of the account for the mail. */
export type UnmailedChange = Pick<AccountChange, 'id' | 'kind' | 'address' | 'at'> &
  Pick<Account, 'username' | 'displayName'> & {
    /** Later changes of the same kind that share the mail. */
    readonly later: readonly Pick<AccountChange, 'id' | 'at'>[];
  };

type Transaction = Prisma.TransactionClient;

/** Longer than a request waits for its answer. The retry of a request continues under the same lease. */
const undoLeaseMs = 30_000;
/** Limits the pause after failed attempts to about an hour. */
const maxBackoffFactor = 20;
export const undoHours = 72;
/** This many password changes within `undoHours` get a mail each. Later ones are collected in one mail. */
const singlePasswordMails = 10;
const gatherMs = 3_600_000;

const oldest = () => new Date(Date.now() - undoHours * 3_600_000);

@Injectable()
export class OwnerChanges {
  constructor(private readonly prisma: Database) {}

  nextDueMs(): Promise<number | null> {
    return nextDueMs(this.prisma, { table: 'account_change', open: 'mailed_at IS NULL' });
  }

  /**
   * Leases a change for one attempt to mail it. After `singlePasswordMails` changes it also takes the later
   * password changes. The millisecond is added because the column rounds times, sometimes up.
   */
  async leaseUnmailed(leaseMs: number, tokenHash: string): Promise<UnmailedChange | null> {
    const changes = await this.prisma.$queryRaw<Omit<UnmailedChange, 'later'>[]>`
      WITH due AS (
        SELECT due.id, uid, kind, address, (SELECT count(*) FROM account_change AS earlier
                 WHERE earlier.uid = due.uid AND earlier.kind = due.kind AND earlier.id < due.id) AS earlier
          FROM account_change AS due JOIN account USING (uid)
         WHERE due.mailed_at IS NULL AND due.next_try_at < now() + interval '1 millisecond'
         ORDER BY due.next_try_at, due.id LIMIT 1 FOR UPDATE OF due SKIP LOCKED)
      UPDATE account_change AS change SET
        next_try_at = now() + ${leaseMs} * interval '1 millisecond'
                      * least(2 ^ cardinality(token_hashes), ${maxBackoffFactor}),
        token_hashes = array_append(token_hashes, ${tokenHash})
      FROM account, due
      WHERE account.uid = due.uid AND change.uid = due.uid AND mailed_at IS NULL
        AND (change.id = due.id OR due.kind = 'password' AND due.earlier >= ${singlePasswordMails}
             AND change.id > due.id AND change.kind = due.kind AND change.address = due.address)
      RETURNING change.id, change.kind, change.address, at, username, display_name AS "displayName"`;
    const [first, ...later] = changes.toSorted((one, other) => Number(one.id - other.id));
    return first ? { ...first, later } : null;
  }

  async markMailed(ids: readonly bigint[]): Promise<void> {
    await this.prisma.accountChange.updateMany({
      where: { id: { in: [...ids] } },
      data: { mailedAt: new Date() },
    });
  }

  /**
   * Runs `work`, then records that this change and all later ones of the account are undone. If `work` fails,
   * the link stays valid. A lease keeps other requests of the account out.
   * @returns the account's uid, `null` if the link is unknown, or `busy` if another request holds the lease
   */
  async undo(
    tokenHash: string,
    requestId: string | undefined,
    work: (change: UndoneChange) => Promise<void>,
  ): Promise<string | null | 'busy'> {
    const change = await findUndoable(this.prisma, tokenHash);
    if (!change) return null;
    const { uid, address } = change;
    const holder = requestId ?? randomUUID();
    if (!(await this.#leaseUndo(uid, holder))) return 'busy';
    try {
      // Another request may have undone the change before this one got the lease.
      if (!(await findUndoable(this.prisma, tokenHash))) return null;
      await work(change);
      return await this.prisma.$transaction(async (tx) => {
        if (!(await claimUndo(tx, change))) return null;
        await recordRequest(tx, requestId);
        await recordVerifiedEmail(tx, uid, address);
        const now = new Date();
        await recordSessionEnd(tx, { uid, sid: null, at: now.toISOString() });
        // Keycloak's links contain their time in whole seconds. The next link must be newer than this event.
        now.setMilliseconds(0);
        await recordEvent(tx, identity.passwordChanged, { uid, at: now.toISOString() });
        return uid;
      });
    } finally {
      await this.prisma.account.updateMany({
        where: { uid, undoLeasedBy: holder },
        data: { undoLeasedBy: null, undoLeasedUntil: null },
      });
    }
  }

  async #leaseUndo(uid: string, holder: string): Promise<boolean> {
    const taken = await this.prisma.$executeRaw`
      UPDATE account SET undo_leased_by = ${holder},
                         undo_leased_until = now() + ${undoLeaseMs} * interval '1 millisecond'
       WHERE uid = ${uid}::uuid
         AND (undo_leased_until IS NULL OR undo_leased_until < now() OR undo_leased_by = ${holder})`;
    return taken === 1;
  }

  isDone(requestId: string | undefined): Promise<boolean> {
    return isRequestDone(this.prisma, requestId);
  }
}

/**
 * Stores a change that the previously proved address gets a mail about. Without a proved address, no mail is
 * sent.
 */
export async function recordChange(tx: Transaction, { uid, kind, at, from, to }: OwnerChange): Promise<void> {
  const account = await tx.account.findUnique({ where: { uid } });
  const proved = account?.provedEmail;
  // The new address may already be stored. Any other address means that the owner has undone this change.
  if (proved && from && proved !== from && proved !== to) return;
  if (to) await recordVerifiedEmail(tx, uid, to);
  if (!proved) return;
  const address = from ?? proved;
  const known = kind === 'password' ? await tx.accountChange.count({ where: { uid, kind } }) : 0;
  const nextTryAt = new Date(Date.now() + (known < singlePasswordMails ? 0 : gatherMs));
  await tx.accountChange.create({ data: { uid, kind, address, at, nextTryAt } });
}

/** Stores the proved address. Callers must handle events in order, so that the last proof wins. */
export async function recordVerifiedEmail(tx: Transaction, uid: string, email: string): Promise<void> {
  await tx.account.updateMany({ where: { uid }, data: { provedEmail: plainAddress(email).toLowerCase() } });
}

export async function deleteExpiredChanges(tx: Transaction): Promise<void> {
  await tx.accountChange.deleteMany({ where: { at: { lt: oldest() } } });
}

/** The change that this link undoes: the earliest one, if the mail contained several. */
export function findUndoable(tx: Transaction, tokenHash: string): Promise<AccountChange | null> {
  const where = { tokenHashes: { has: tokenHash }, at: { gte: oldest() } };
  return tx.accountChange.findFirst({ where, orderBy: { id: 'asc' } });
}

/** Deletes a change and all later ones of the account. Returns false if another request was faster. */
export async function claimUndo(tx: Transaction, { uid, id }: AccountChange): Promise<boolean> {
  // A second concurrent request waits here until the first has committed, and then deletes no row.
  const { count } = await tx.accountChange.deleteMany({ where: { id } });
  if (count === 0) return false;
  // The thief who made this change may have received the undo links of later ones.
  await tx.accountChange.deleteMany({ where: { uid, id: { gt: id } } });
  return true;
}
