import { Injectable } from '@nestjs/common';
import { composeDeadLinkMail } from './dead-link-mail.ts';
import { DeadLinkMails, type DueDeadLinkMail } from './dead-link-mails.repository.ts';
import { DueMailer } from '../mails/due-mailer.ts';
import { IdentityConfig } from '../identity.config.ts';
import { MailerClient } from '../mails/mailer.client.ts';

@Injectable()
export class DeadLinkMailer extends DueMailer<DueDeadLinkMail> {
  constructor(
    rows: DeadLinkMails,
    private readonly config: IdentityConfig,
    private readonly mailer: MailerClient,
  ) {
    super(rows, 'dead links');
  }

  protected work(due: DueDeadLinkMail): Promise<void> {
    const addressOf = (path: string) => new URL(path, this.config.SITE_URL).href;
    return this.mailer.send(`dead-links-${due.id}`, composeDeadLinkMail(due, { addressOf }));
  }
}
