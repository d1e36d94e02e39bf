import type { Facts, media } from '@stoa/contracts';
import { claimFirstDelivery } from '@stoa/messaging';
import { Leases } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { Database } from '../database.ts';
import { type AddressedMail, addresseeColumns, hasProvedAddress } from '../mails/due-mails.repository.ts';
import type { ExportMail } from '../generated/prisma/client.ts';

export type DueExportMail = AddressedMail & Pick<ExportMail, 'expiresAt'>;

/** Mails about exports. A row exists until the mail server accepts the mail. */
@Injectable()
export class ExportMails extends Leases<DueExportMail> {
  constructor(private readonly prisma: Database) {
    super(prisma, {
      ...{ table: 'export_mail', open: 'true' },
      ready: `(expires_at IS NULL OR expires_at > now()) AND ${hasProvedAddress}`,
      columns: `expires_at AS "expiresAt", ${addresseeColumns}`,
    });
  }

  /**
   * Stores a mail, unless the export has expired. Without a proved address, only the site shows the export.
   */
  async record({ id, uid, expiresAt }: Facts<typeof media.exportEnded>, eventId: string): Promise<void> {
    if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) return;
    await this.prisma.$transaction(async (tx) => {
      if (!(await claimFirstDelivery(tx, eventId))) return;
      if (await tx.accountDeletion.findUnique({ where: { uid } })) return;
      if (!(await tx.account.findUnique({ where: { uid } }))?.provedEmail) return;
      await tx.exportMail.createMany({ data: [{ id, uid, expiresAt }], skipDuplicates: true });
    });
  }

  /** Deletes up to `most` mails about expired exports, and returns their number. */
  deleteObsolete(most: number): Promise<number> {
    return this.prisma.$executeRaw`
      DELETE FROM export_mail WHERE id = ANY (ARRAY(
        SELECT id FROM export_mail WHERE expires_at <= now() LIMIT ${most}))`;
  }

  async remove(id: string): Promise<void> {
    await this.prisma.exportMail.deleteMany({ where: { id } });
  }
}
