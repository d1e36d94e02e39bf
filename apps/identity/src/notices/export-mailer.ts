import { Injectable } from '@nestjs/common';
import { DueMailer } from '../mails/due-mailer.ts';
import { composeExportMail } from './export-mail.ts';
import { type DueExportMail, ExportMails } from './export-mails.repository.ts';
import { IdentityConfig } from '../identity.config.ts';
import { MailerClient } from '../mails/mailer.client.ts';

@Injectable()
export class ExportMailer extends DueMailer<DueExportMail> {
  constructor(
    rows: ExportMails,
    private readonly config: IdentityConfig,
    private readonly mailer: MailerClient,
  ) {
    super(rows, 'exports');
  }

  protected work(due: DueExportMail): Promise<void> {
    const link = new URL('/dashboard/account?export', this.config.SITE_URL);
    return this.mailer.send(`export-${due.id}`, composeExportMail(due, link.href));
  }
}
