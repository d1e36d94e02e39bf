import { type Account, type CreatorFacts, type EndedSession, identity } from '@stoa/contracts';
import { isRequestDone, noteRequest, recordEvent, recordRequest } from '@stoa/messaging';
import { clientOptions, ownPool, poolOptions, ServicePool } from '@stoa/platform';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { PrismaPg } from '@prisma/adapter-pg';
import { randomUUID } from 'node:crypto';
import { AccountDeletions } from './account-deletions.repository.ts';
import { ExportMails } from './export-mails.repository.ts';
import { LinkChanges } from './link-changes.repository.ts';
import { LogInWarnings } from './log-in-warnings.repository.ts';
import { ReviewMails } from './review-mails.repository.ts';
import { DeadLinkMails } from './dead-link-mails.repository.ts';
import { claimUndo, findUndoable, recordVerifiedEmail } from './owner-changes.repository.ts';
import { RealmReadings } from './realm-readings.repository.ts';
import {
  recordBrowser,
  recordSessionEnd,
  type SessionBrowser,
  SessionBrowsers,
} from './session-browsers.repository.ts';
import {
  type Account as Row,
  type AccountChange,
  type Prisma,
  PrismaClient,
} from './generated/prisma/client.ts';
import { IdentityConfig } from './identity.config.ts';
import { claimMail, type MailKind, unclaimMail } from './recipient-mails.repository.ts';

/** What the owner of an account is called, as of a version of the profile. */
type ProfileName = Pick<CreatorFacts, 'displayName' | 'version'>;

/** What is given back when a change is taken back. */
export type UndoneChange = Pick<AccountChange, 'uid' | 'address' | 'at'>;

/** A change whose mail has not been sent, and whose account it is. */
export type UnmailedChange = Pick<AccountChange, 'id' | 'kind' | 'address' | 'at'> &
  Pick<Row, 'username' | 'displayName'>;

/** Longer than any request waits. A request whose replica was lost takes its own lease again. */
const undoLeaseMs = 30_000;
/** A mail that was refused again and again is tried about once in an hour. */
const longestLeases = 20;

@Injectable()
export class IdentityRepository implements OnApplicationShutdown {
  readonly deletions: AccountDeletions;
  readonly exportMails: ExportMails;
  readonly linkChanges: LinkChanges;
  readonly reviewMails: ReviewMails;
  readonly deadLinkMails: DeadLinkMails;
  readonly logInWarnings: LogInWarnings;
  readonly realmReadings: RealmReadings;
  readonly sessionBrowsers: SessionBrowsers;
  private readonly prisma: PrismaClient;

  constructor(config: IdentityConfig) {
    this.prisma = new PrismaClient({
      adapter: new PrismaPg(new ServicePool(poolOptions(config)), ownPool),
      ...clientOptions,
    });
    this.deletions = new AccountDeletions(this.prisma);
    this.exportMails = new ExportMails(this.prisma);
    this.linkChanges = new LinkChanges(this.prisma);
    this.reviewMails = new ReviewMails(this.prisma);
    this.deadLinkMails = new DeadLinkMails(this.prisma);
    this.logInWarnings = new LogInWarnings(this.prisma);
    this.realmReadings = new RealmReadings(this.prisma);
    this.sessionBrowsers = new SessionBrowsers(this.prisma);
  }

  /**
   * The account, made when it is not there, the browser of this session of it and the name in its profile; null when another
   * account has the username.
   */
  open(
    claims: Omit<Account, 'createdAt'> & {
      emailVerified: boolean;
      claimsIssuedAt?: string | undefined;
    },
    { session, profile }: { session?: SessionBrowser | undefined; profile?: ProfileName | undefined } = {},
  ): Promise<Account | null | 'closed'> {
    const { uid, email, emailVerified, termsAcceptedAt, claimsIssuedAt = null } = claims;
    return this.prisma.$transaction(async (tx): Promise<Account | null | 'closed'> => {
      // A token outlives its account by minutes at most, and may be on its way here.
      if (await tx.accountDeletion.findUnique({ where: { uid } })) return 'closed';
      const unproved = { ...claims, claimsIssuedAt, emailVerified: false };
      const { count } = await tx.account.createMany({ data: [unproved], skipDuplicates: true });
      if (count === 1) await recordEvent(tx, identity.opened, { uid });
      const known = await tx.account.findUnique({ where: { uid } });
      if (!known) return null;
      if (session) await recordBrowser(tx, uid, session);
      if (profile && known.profileVersion < profile.version) await recordName(tx, { uid, ...profile });
      // A token lives for minutes, and may say what was true before the last change.
      if (claimsIssuedAt && known.claimsIssuedAt && new Date(claimsIssuedAt) < known.claimsIssuedAt)
        return toAccount(known);
      // A reset link proves the address too, and Keycloak records no event for that.
      if (emailVerified && !(known.emailVerified && known.email === email)) {
        await recordEvent(tx, identity.emailVerified, { uid, email, at: new Date().toISOString() });
      }
      if (emailVerified && !known.provedEmail) await recordVerifiedEmail(tx, uid, email);
      // Keycloak owns the address and the consent; both may have changed since the account was opened.
      const same =
        known.email === email &&
        known.emailVerified === emailVerified &&
        (known.termsAcceptedAt?.toISOString() ?? null) === termsAcceptedAt;
      const data = { email, emailVerified, termsAcceptedAt, claimsIssuedAt };
      return toAccount(same ? known : await tx.account.update({ where: { uid }, data }));
    });
  }

  /** Keeps what the owner of an account is called, as of a version of the profile. */
  async recordName(profile: CreatorFacts): Promise<void> {
    await recordName(this.prisma, profile);
  }

  /** Announces that Keycloak has ended sessions. */
  async announceSessionEnd(ended: EndedSession): Promise<void> {
    await this.prisma.$transaction((tx) => recordSessionEnd(tx, ended));
  }

  /** Notes that a request may be done: what is left of it is done again by each try. */
  async note(requestId: string | undefined): Promise<void> {
    await noteRequest(this.prisma, requestId);
  }

  /** Whether an earlier try of this request was noted, or did it. */
  isDone(requestId: string | undefined): Promise<boolean> {
    return isRequestDone(this.prisma, requestId);
  }

  /**
   * Claims the sending of a proof mail, once for all replicas; false when one went out after `notSince`, or the address
   * has had enough mails of this day.
   */
  claimProof(uid: string, notSince: Date | null): Promise<boolean> {
    const before = notSince ? { OR: [{ proofMailedAt: null }, { proofMailedAt: { lt: notSince } }] } : null;
    const where = { uid, ...(before ?? { proofMailedAt: null }) };
    return this.prisma.$transaction(async (tx) => {
      const { count } = await tx.account.updateMany({ where, data: { proofMailedAt: new Date() } });
      if (count === 0) return false;
      const { email } = await tx.account.findUniqueOrThrow({ where: { uid } });
      return claimMail(tx, email, 'proof');
    });
  }

  /** Gives back what was claimed and not sent. */
  unclaimProof(uid: string): Promise<void> {
    return this.prisma.$transaction(async (tx) => {
      const account = await tx.account.findUnique({ where: { uid } });
      if (!account) return;
      await tx.account.update({ where: { uid }, data: { proofMailedAt: null } });
      await unclaimMail(tx, account.email);
    });
  }

  /** Counts a mail to this address, before it is sent; false when its recipient has had enough of the last day. */
  claimMail(address: string, kind: MailKind): Promise<boolean> {
    return this.prisma.$transaction((tx) => claimMail(tx, address, kind));
  }

  /** Gives back what was claimed and not sent. */
  unclaimMail(address: string): Promise<void> {
    return this.prisma.$transaction((tx) => unclaimMail(tx, address));
  }

  /**
   * Takes a change that is not mailed yet, for one try under this hash of a token. The column keeps whole milliseconds,
   * rounded: a change of a moment ago may lie a little ahead.
   */
  async takeUnmailedChange(leaseMs: number, tokenHash: string): Promise<UnmailedChange | null> {
    const [change] = await this.prisma.$queryRaw<UnmailedChange[]>`
      UPDATE account_change SET
        next_try_at = now() + ${leaseMs} * interval '1 millisecond'
                      * least(2 ^ cardinality(token_hashes), ${longestLeases}),
        token_hashes = array_append(token_hashes, ${tokenHash})
      FROM account
      WHERE account.uid = account_change.uid AND account_change.id = (
        SELECT due.id FROM account_change AS due JOIN account USING (uid)
        WHERE due.mailed_at IS NULL AND due.next_try_at < now() + interval '1 millisecond'
        ORDER BY due.next_try_at, due.id LIMIT 1 FOR UPDATE OF due SKIP LOCKED)
      RETURNING account_change.id, kind, address, at, username, display_name AS "displayName"`;
    return change ?? null;
  }

  async markChangeMailed(id: bigint): Promise<void> {
    await this.prisma.accountChange.updateMany({ where: { id }, data: { mailedAt: new Date() } });
  }

  /**
   * Takes back the change of this link, and with it every later one of the account, once `work` succeeded. A failure of
   * `work` leaves the link usable. One request at a time works on an account; no transaction is open meanwhile.
   * @returns whose account it is, `null` when there is no such link, or `busy` while another request works on the account
   */
  async undoChange(
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
      // Another request may have ended between the first read and the lease.
      if (!(await findUndoable(this.prisma, tokenHash))) return null;
      await work(change);
      return await this.prisma.$transaction(async (tx) => {
        if (!(await claimUndo(tx, change))) return null;
        await recordRequest(tx, requestId);
        await recordVerifiedEmail(tx, uid, address);
        const now = new Date();
        await recordSessionEnd(tx, { uid, sid: null, at: now.toISOString() });
        // A link has its time in whole seconds: the one that is mailed next must not seem older than this.
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

  async onApplicationShutdown(): Promise<void> {
    await this.prisma.$disconnect();
  }
}

async function recordName(
  db: Prisma.TransactionClient,
  { uid, displayName, version }: ProfileName & { readonly uid: string },
): Promise<void> {
  await db.account.updateMany({
    where: { uid, profileVersion: { lt: version } },
    data: { displayName, profileVersion: version },
  });
}

function toAccount(row: Row): Account {
  return {
    ...row,
    termsAcceptedAt: row.termsAcceptedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}
