import type { Facts, media } from '@stoa/contracts';
import { claimFirstDelivery } from '@stoa/messaging';
import type { Account, ExportMail, PrismaClient } from './generated/prisma/client.ts';

/** A mail that is to be sent, and to whom. */
export type DueExportMail = Pick<ExportMail, 'id' | 'expiresAt' | 'attempts'> &
  Pick<Account, 'displayName'> & { readonly address: string };

/** The mails about exports, each a row until the mail server has taken it. */
export class ExportMails {
  constructor(private readonly prisma: PrismaClient) {}

  /** Notes that an export ended, unless it is over. Only a proved address gets mail: others find it in their account. */
  async record({ id, uid, expiresAt }: Facts<typeof media.exportEnded>, eventId: string): Promise<void> {
    if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) return;
    await this.prisma.$transaction(async (tx) => {
      if (!(await claimFirstDelivery(tx, eventId))) return;
      if (await tx.accountDeletion.findUnique({ where: { uid } })) return;
      if (!(await tx.account.findUnique({ where: { uid } }))?.provedEmail) return;
      await tx.exportMail.createMany({ data: [{ id, uid, expiresAt }], skipDuplicates: true });
    });
  }

  /** Forgets mails about exports that are over, a part of them; answers how many. Those of an account go with it. */
  forgetOld(most: number): Promise<number> {
    return this.prisma.$executeRaw`
      DELETE FROM export_mail WHERE id = ANY (ARRAY(
        SELECT id FROM export_mail WHERE expires_at <= now() LIMIT ${most}))`;
  }

  /** Takes a mail that is due and puts off its next try by `leaseMs`. */
  async takeDue(leaseMs: number): Promise<DueExportMail | null> {
    const [due] = await this.prisma.$queryRaw<DueExportMail[]>`
      UPDATE export_mail SET attempts = attempts + 1,
             next_try_at = now() + ${leaseMs}::float8 * interval '1 millisecond'
        FROM account
       WHERE account.uid = export_mail.uid AND id = (SELECT id FROM export_mail
                    WHERE next_try_at < now() + interval '1 millisecond' AND (expires_at IS NULL OR expires_at > now())
                      AND EXISTS (SELECT 1 FROM account AS owner WHERE owner.uid = export_mail.uid AND proved_email IS NOT NULL)
                    ORDER BY next_try_at LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING id, expires_at AS "expiresAt", attempts, account.proved_email AS address,
                account.display_name AS "displayName"`;
    return due ?? null;
  }

  async retryIn(id: string, ms: number): Promise<void> {
    // By the database's clock, as it is taken again.
    await this.prisma.$executeRaw`
      UPDATE export_mail SET next_try_at = now() + ${ms}::float8 * interval '1 millisecond' WHERE id = ${id}::uuid`;
  }

  async markMailed(id: string): Promise<void> {
    await this.prisma.exportMail.deleteMany({ where: { id } });
  }
}
