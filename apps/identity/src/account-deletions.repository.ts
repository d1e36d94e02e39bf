import { type Caller, type ErasedCounts, identity } from '@stoa/contracts';
import { recordEvent } from '@stoa/messaging';
import { randomUUID } from 'node:crypto';
import { forgetMails } from './due-mails.repository.ts';
import type { AccountDeletion, PrismaClient } from './generated/prisma/client.ts';
import { recordSessionEnd } from './session-browsers.repository.ts';

/** The services that hold something of an account; each says when it holds nothing any more. */
export const erasingServices = ['creators', 'offerings', 'media', 'contact'] as const;
export type ErasingService = (typeof erasingServices)[number];

/** A deletion that is due, and what each service has let go of so far. */
export type DueDeletion = Pick<
  AccountDeletion,
  'id' | 'uid' | 'address' | 'requestedAt' | 'removedAt' | 'attempts'
> & { erased: Partial<Record<ErasingService, ErasedCounts>> };

/**
 * The deletions, each a row that says how far it has come. All that is done for one may be done twice, so whoever dies on
 * the way is replaced by whoever takes the row next.
 */
export class AccountDeletions {
  constructor(private readonly prisma: PrismaClient) {}

  /**
   * Records the request, once for an account, and ends its sessions. Only a proved address gets the receipt: the one that the
   * token proves where identity was away when the account was opened.
   */
  request({ uid, email, emailVerified }: Caller): Promise<void> {
    return this.prisma.$transaction(async (tx) => {
      const { provedEmail = null } = (await tx.account.findUnique({ where: { uid } })) ?? {};
      const address = provedEmail ?? (emailVerified ? email : null);
      const { count } = await tx.accountDeletion.createMany({
        data: { id: randomUUID(), uid, address },
        skipDuplicates: true,
      });
      if (count === 0) return;
      await forgetMails(tx, uid);
      await tx.logInWarning.deleteMany({ where: { uid } });
      await tx.failedLogIn.deleteMany({ where: { uid } });
      await recordSessionEnd(tx, { uid, sid: null, at: new Date().toISOString() });
    });
  }

  /**
   * Takes a deletion that is due and puts off its next try by `leaseMs`, so that no other replica takes it meanwhile. The
   * column keeps whole milliseconds, rounded: what was put there a moment ago may lie a little ahead.
   */
  async takeDue(leaseMs: number): Promise<DueDeletion | null> {
    const [due] = await this.prisma.$queryRaw<DueDeletion[]>`
      UPDATE account_deletion SET attempts = attempts + 1,
             next_try_at = now() + ${leaseMs}::float8 * interval '1 millisecond'
       WHERE id = (SELECT id FROM account_deletion
                    WHERE finished_at IS NULL AND next_try_at < now() + interval '1 millisecond'
                    ORDER BY next_try_at LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING id, uid, address, requested_at AS "requestedAt", removed_at AS "removedAt", attempts, erased`;
    return due ?? null;
  }

  /** Puts off the next try, unless another replica has taken it or the last service has answered since. */
  async retryIn({ id, attempts, erased }: DueDeletion, ms: number): Promise<void> {
    const answered = Object.keys(erased).length;
    // By the database's clock, as it is taken again.
    await this.prisma.$executeRaw`
      UPDATE account_deletion SET next_try_at = now() + ${ms}::float8 * interval '1 millisecond'
       WHERE id = ${id}::uuid AND attempts = ${attempts}
         AND ((SELECT count(*) FROM jsonb_object_keys(erased)) < ${erasingServices.length} OR ${answered} = ${erasingServices.length})`;
  }

  /** Keycloak has no such account any more. Where every service has answered already the receipt is due at once. */
  async markRemoved(id: string, waitMs: number): Promise<void> {
    await this.prisma.$executeRaw`
      UPDATE account_deletion SET removed_at = now(), attempts = 0,
             next_try_at = CASE WHEN (SELECT count(*) FROM jsonb_object_keys(erased)) = ${erasingServices.length}
                           THEN now() ELSE now() + ${waitMs}::float8 * interval '1 millisecond' END
       WHERE id = ${id}::uuid AND removed_at IS NULL`;
  }

  /** Says again that the account is closed, for a service that has not answered. */
  async announceClosed(uid: string): Promise<void> {
    await this.prisma.$transaction((tx) =>
      recordEvent(tx, identity.closed, { uid, at: new Date().toISOString() }),
    );
  }

  /** Notes what a service has let go of. Its first word counts: a later one found nothing left. */
  async recordErased(service: ErasingService, uid: string, counts: ErasedCounts): Promise<void> {
    await this.prisma.$executeRaw`
      UPDATE account_deletion SET erased = erased || jsonb_build_object(${service}::text, ${JSON.stringify(counts)}::jsonb),
             next_try_at = CASE WHEN (SELECT count(*) FROM jsonb_object_keys(erased)) = ${erasingServices.length - 1}
                           THEN now() ELSE next_try_at END
       WHERE uid = ${uid}::uuid AND NOT jsonb_exists(erased, ${service})`;
  }

  /** The receipt is mailed: whose it was is forgotten. */
  async finish(id: string, uid: string): Promise<void> {
    await this.prisma.$transaction(async (tx) => {
      await tx.account.deleteMany({ where: { uid } });
      await tx.accountChange.deleteMany({ where: { uid } });
      await tx.linkChange.deleteMany({ where: { uid } });
      await tx.sessionBrowser.deleteMany({ where: { uid } });
      await tx.accountDeletion.update({ where: { id }, data: { address: null, finishedAt: new Date() } });
    });
  }

  /** For how many seconds the oldest unfinished deletion has been asked for, 0 when there is none. */
  async oldestAge(): Promise<number> {
    const [oldest] = await this.prisma.$queryRaw<{ age: number }[]>`
      SELECT coalesce(extract(epoch FROM now() - min(requested_at)), 0)::float8 AS age
        FROM account_deletion WHERE finished_at IS NULL`;
    return oldest?.age ?? 0;
  }
}
