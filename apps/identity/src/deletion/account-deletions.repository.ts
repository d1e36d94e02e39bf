import { type Caller, type ErasedCounts, identity } from '@stoa/contracts';
import { recordEvent } from '@stoa/messaging';
import { type LeasedRow, Leases } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Database } from '../database.ts';
import { deleteMails } from '../mails/due-mails.repository.ts';
import type { AccountDeletion } from '../generated/prisma/client.ts';
import { recordSessionEnd } from '../sessions/sessions.repository.ts';

/** Services with data of accounts. Each publishes an `erased` event after deleting the data of an account. */
export const erasingServices = ['creators', 'offerings', 'media', 'contact'] as const;
export type ErasingService = (typeof erasingServices)[number];

export type DueDeletion = LeasedRow &
  Pick<AccountDeletion, 'uid' | 'address' | 'displayName' | 'requestedAt' | 'removedAt'> & {
    erased: Partial<Record<ErasingService, ErasedCounts>>;
  };

/** The state of each deletion. Every step is idempotent, because another replica repeats it after a crash. */
@Injectable()
export class AccountDeletions extends Leases<DueDeletion> {
  constructor(private readonly prisma: Database) {
    super(prisma, {
      ...{ table: 'account_deletion', open: 'finished_at IS NULL' },
      columns: `uid, address, display_name AS "displayName", requested_at AS "requestedAt", removed_at AS "removedAt", erased`,
    });
  }

  /**
   * Records the deletion once, and ends the account's sessions. The receipt goes only to a proved address:
   * the stored one, or the one in the token if identity was down at sign-up.
   */
  request({ uid, email, emailVerified }: Caller): Promise<void> {
    return this.prisma.$transaction(async (tx) => {
      const account = await tx.account.findUnique({ where: { uid } });
      const { provedEmail = null, displayName = null } = account ?? {};
      const address = provedEmail ?? (emailVerified ? email : null);
      const { count } = await tx.accountDeletion.createMany({
        data: { id: randomUUID(), uid, address, displayName: address && displayName },
        skipDuplicates: true,
      });
      if (count === 0) return;
      await deleteMails(tx, uid);
      await tx.logInWarning.deleteMany({ where: { uid } });
      await tx.failedLogIn.deleteMany({ where: { uid } });
      await recordSessionEnd(tx, { uid, sid: null, at: new Date().toISOString() });
    });
  }

  async recordAddress(id: string, address: string): Promise<void> {
    await this.prisma.accountDeletion.updateMany({ where: { id, removedAt: null }, data: { address } });
  }

  /** Records that Keycloak has deleted the user. If every service has answered, the receipt is due now. */
  async markRemoved(id: string, waitMs: number): Promise<void> {
    await this.prisma.$executeRaw`
      UPDATE account_deletion SET removed_at = now(), attempts = 0,
             next_try_at = CASE WHEN (SELECT count(*) FROM jsonb_object_keys(erased)) = ${erasingServices.length}
                           THEN now() ELSE now() + ${waitMs}::float8 * interval '1 millisecond' END
       WHERE id = ${id}::uuid AND removed_at IS NULL`;
  }

  /** Publishes `identity.closed` again, for services that have not answered. */
  async announceClosed(uid: string): Promise<void> {
    await this.prisma.$transaction((tx) =>
      recordEvent(tx, identity.closed, { uid, at: new Date().toISOString() }),
    );
  }

  /** Records what a service deleted. Its later answers are ignored, because they count nothing. */
  async recordErased(service: ErasingService, uid: string, counts: ErasedCounts): Promise<void> {
    await this.prisma.$executeRaw`
      UPDATE account_deletion SET erased = erased || jsonb_build_object(${service}::text, ${JSON.stringify(counts)}::jsonb),
             next_try_at = CASE WHEN (SELECT count(*) FROM jsonb_object_keys(erased)) = ${erasingServices.length - 1}
                           THEN now() ELSE next_try_at END
       WHERE uid = ${uid}::uuid AND NOT jsonb_exists(erased, ${service})`;
  }

  /** Deletes the data of the account in this database, after the receipt was mailed. */
  async finish(id: string, uid: string): Promise<void> {
    await this.prisma.$transaction(async (tx) => {
      await tx.account.deleteMany({ where: { uid } });
      await tx.accountChange.deleteMany({ where: { uid } });
      await tx.linkChange.deleteMany({ where: { uid } });
      await tx.sessionBrowser.deleteMany({ where: { uid } });
      const data = { address: null, displayName: null, finishedAt: new Date() };
      await tx.accountDeletion.update({ where: { id }, data });
    });
  }

  /** Age in seconds of the oldest unfinished deletion, for an alert; 0 if there is none. */
  async oldestAge(): Promise<number> {
    const [oldest] = await this.prisma.$queryRaw<{ age: number }[]>`
      SELECT coalesce(extract(epoch FROM now() - min(requested_at)), 0)::float8 AS age
        FROM account_deletion WHERE finished_at IS NULL`;
    return oldest?.age ?? 0;
  }
}
