import { type Account, type Event, type Facts, identity } from '@stoa/contracts';
import { isRequestDone, noteRequest, recordEvent, recordRequest } from '@stoa/messaging';
import { clientOptions, ownPool, poolOptions, ServicePool } from '@stoa/platform';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { PrismaPg } from '@prisma/adapter-pg';
import type { Announcement, FailedLogIn, OwnerChange } from './account-changes.ts';
import { AccountDeletions } from './account-deletions.repository.ts';
import { forgetMails } from './due-mails.repository.ts';
import { ExportMails } from './export-mails.repository.ts';
import { forgetOldLinkChanges, LinkChanges } from './link-changes.repository.ts';
import { forgetFailedLogIns, LogInWarnings, recordFailedLogIn } from './log-in-warnings.repository.ts';
import { ReviewMails } from './review-mails.repository.ts';
import { DeadLinkMails } from './dead-link-mails.repository.ts';
import {
  claimUndo,
  recordVerifiedEmail,
  forgetOldChanges,
  recordChange,
} from './owner-changes.repository.ts';
import {
  type Account as Row,
  type AccountChange,
  type Prisma,
  PrismaClient,
} from './generated/prisma/client.ts';
import { IdentityConfig } from './identity.config.ts';
import { claimUnprovedMail, unclaimUnprovedMail } from './unproved-mails.repository.ts';

/** The two lists of events that Keycloak keeps. */
export type Stream = 'user' | 'admin' | 'failure';

/** What is given back when a change is taken back. */
export type UndoneChange = Pick<AccountChange, 'uid' | 'address' | 'at'>;

/** A change whose mail has not been sent, and whose account it is. */
export type UnmailedChange = Pick<AccountChange, 'id' | 'kind' | 'address' | 'at'> & { username: string };

/** One round of reading a stream, by the process that holds its lock. */
export interface RealmRound {
  /** Read on from here, in milliseconds since 1970; what was handled already may come again. */
  readonly from: number;
  readonly isNew: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
  readonly handle: (
    event: { id: string; at: number },
    announcements: readonly Announcement[],
    change?: OwnerChange,
    failure?: FailedLogIn,
  ) => Promise<void>;
  readonly readTo: (time: number) => Promise<void>;
}

// Any constants will do: the locks live in this service's own database.
const realmLocks: Record<Stream, number> = { user: 7_307_011, admin: 7_307_012, failure: 7_307_013 };
// Keycloak dates an event before it commits it, so that one may appear behind others.
const overlapMs = 60_000;
// A new installation has nothing older that anybody still believes.
const firstLookMs = 600_000;
// A round asks Keycloak again and again while its transaction is open.
const roundMs = 30_000;
const silentMs = 5000;
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
  }

  /** The account, made when it is not there; null when another account has the username. */
  open(
    claims: Omit<Account, 'createdAt'> & { emailVerified: boolean; claimsIssuedAt?: string | undefined },
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

  /** Announces what is true already because Keycloak did it. */
  async announce<E extends Event>(event: E, facts: Facts<E>): Promise<void> {
    await this.prisma.$transaction((tx) => recordEvent(tx, event, facts));
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
      return claimUnprovedMail(tx, email);
    });
  }

  /** Gives back what was claimed and not sent. */
  unclaimProof(uid: string): Promise<void> {
    return this.prisma.$transaction(async (tx) => {
      const account = await tx.account.findUnique({ where: { uid } });
      if (!account) return;
      await tx.account.update({ where: { uid }, data: { proofMailedAt: null } });
      await unclaimUnprovedMail(tx, account.email);
    });
  }

  /**
   * Does one round of reading the realm, in one transaction: what is announced, what is remembered and how far was
   * read are true together. Does nothing while another replica is at it; its lock ends with its transaction.
   */
  async readRealm(stream: Stream, round: (round: RealmRound) => Promise<void>): Promise<void> {
    const work = async (tx: Prisma.TransactionClient) => {
      const [lock] = await tx.$queryRaw<{ mine: boolean }[]>`
        SELECT pg_try_advisory_xact_lock(${realmLocks[stream]}) AS mine`;
      if (!lock?.mine) return;
      // A replica that vanished without a word must not keep the others waiting.
      await tx.$executeRawUnsafe(`SET LOCAL idle_in_transaction_session_timeout = '${silentMs}ms'`);
      const [reading] = await tx.$queryRaw<{ readTo: Date }[]>`
        INSERT INTO realm_reading (stream, read_to, read_at)
        VALUES (${stream}, now() - ${firstLookMs} * interval '1 millisecond', now())
        ON CONFLICT (stream) DO UPDATE SET read_at = realm_reading.read_at RETURNING read_to AS "readTo"`;
      if (!reading) return;
      await round({
        from: reading.readTo.getTime() - overlapMs,
        isNew: async (ids) => {
          const seen = await tx.realmEvent.findMany({
            where: { id: { in: [...ids] } },
            select: { id: true },
          });
          const known = new Set(seen.map(({ id }) => id));
          return new Set(ids.filter((id) => !known.has(id)));
        },
        handle: async (event, announcements, change, failure) => {
          await tx.$executeRaw`SAVEPOINT one_event`;
          try {
            await recordRealmEvent(tx, stream, event, announcements);
            if (change) await recordChange(tx, change);
            if (failure) await recordFailedLogIn(tx, failure);
          } catch (error) {
            // Those before and after it are not to blame.
            await tx.$executeRaw`ROLLBACK TO SAVEPOINT one_event`;
            throw error;
          }
        },
        readTo: async (time) => {
          await tx.$executeRaw`
            UPDATE realm_reading SET read_to = greatest(read_to, ${new Date(time)}) WHERE stream = ${stream}`;
        },
      });
      await tx.$executeRaw`UPDATE realm_reading SET read_at = clock_timestamp() WHERE stream = ${stream}`;
      const over = new Date(reading.readTo.getTime() - 2 * overlapMs);
      await tx.realmEvent.deleteMany({ where: { stream, at: { lt: over } } });
      await forgetOldChanges(tx);
      await forgetOldLinkChanges(tx);
      await forgetFailedLogIns(tx);
    };
    await this.prisma.$transaction(work, { timeout: roundMs });
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
      RETURNING account_change.id, kind, address, at, username`;
    return change ?? null;
  }

  async markChangeMailed(id: bigint): Promise<void> {
    await this.prisma.accountChange.updateMany({ where: { id }, data: { mailedAt: new Date() } });
  }

  /**
   * Takes back the change of this link, and with it every later one of the account: what `work` does and that the link
   * is used up are true together. Answers whose account it is, or null when there is no such link.
   */
  undoChange(
    tokenHash: string,
    requestId: string | undefined,
    work: (change: UndoneChange) => Promise<void>,
  ): Promise<string | null> {
    const undo = async (tx: Prisma.TransactionClient) => {
      // Its work asks Keycloak time and again, for longer than a transaction may rest otherwise.
      await tx.$executeRawUnsafe(`SET LOCAL idle_in_transaction_session_timeout = '${roundMs}ms'`);
      const change = await claimUndo(tx, tokenHash);
      if (!change) return null;
      const { uid, address } = change;
      await work(change);
      await recordRequest(tx, requestId);
      await recordVerifiedEmail(tx, uid, address);
      const now = new Date();
      await recordEvent(tx, identity.sessionEnded, { uid, sid: null, at: now.toISOString() });
      // A link says in whole seconds when it was made: the one that is mailed next must not seem older than this.
      now.setMilliseconds(0);
      await recordEvent(tx, identity.passwordChanged, { uid, at: now.toISOString() });
      return uid;
    };
    return this.prisma.$transaction(undo, { timeout: roundMs });
  }

  /** Seconds since the realm was last read to its end; undefined before the first time. */
  async realmAge(): Promise<number | undefined> {
    const [row] = await this.prisma.$queryRaw<{ age: number | null }[]>`
      SELECT extract(epoch FROM now() - min(read_at))::float8 AS age FROM realm_reading`;
    return row?.age ?? undefined;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.prisma.$disconnect();
  }
}

async function recordRealmEvent(
  tx: Prisma.TransactionClient,
  stream: Stream,
  { id, at }: { id: string; at: number },
  announcements: readonly Announcement[],
): Promise<void> {
  await tx.realmEvent.create({ data: { id, stream, at: new Date(at) } });
  for (const { event, facts } of announcements) {
    await recordEvent(tx, event, facts);
    if (event.subject === identity.emailVerified.subject) {
      const { uid, email } = identity.emailVerified.facts.parse(facts);
      await recordVerifiedEmail(tx, uid, email);
    }
    if (event.subject !== identity.closed.subject) continue;
    const { uid } = identity.closed.facts.parse(facts);
    await tx.account.deleteMany({ where: { uid } });
    await tx.accountChange.deleteMany({ where: { uid } });
    await tx.linkChange.deleteMany({ where: { uid } });
    await tx.logInWarning.deleteMany({ where: { uid } });
    await tx.failedLogIn.deleteMany({ where: { uid } });
    await forgetMails(tx, uid);
  }
}

function toAccount(row: Row): Account {
  return {
    ...row,
    termsAcceptedAt: row.termsAcceptedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}
