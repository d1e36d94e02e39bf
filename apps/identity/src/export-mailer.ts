import { Injectable } from '@nestjs/common';
import { DueMailer } from './due-mailer.ts';
import { composeExportMail } from './export-mail.ts';
import type { DueExportMail } from './export-mails.repository.ts';
import { IdentityConfig } from './identity.config.ts';
import { IdentityRepository } from './identity.repository.ts';
import { MailerClient } from './mailer.client.ts';

/** Mails what became of exports. */
@Injectable()
export class ExportMailer extends DueMailer<DueExportMail> {
  constructor(
    accounts: IdentityRepository,
    private readonly config: IdentityConfig,
    private readonly mailer: MailerClient,
  ) {
    super(accounts.exportMails, 'exports');
  }

  protected send(due: DueExportMail): Promise<void> {
    const link = new URL('/dashboard/account?export', this.config.SITE_URL);
    return this.mailer.send(`export-${due.id}`, composeExportMail(due, link.href));
  }
}
