import { Injectable } from '@nestjs/common';
import { composeDeadLinkMail } from './dead-link-mail.ts';
import type { DueDeadLinkMail } from './dead-link-mails.repository.ts';
import { DueMailer } from './due-mailer.ts';
import { IdentityConfig } from './identity.config.ts';
import { IdentityRepository } from './identity.repository.ts';
import { MailerClient } from './mailer.client.ts';

/** Mails creators which of their links no longer work. */
@Injectable()
export class DeadLinkMailer extends DueMailer<DueDeadLinkMail> {
  constructor(
    accounts: IdentityRepository,
    private readonly config: IdentityConfig,
    private readonly mailer: MailerClient,
  ) {
    super(accounts.deadLinkMails, 'dead links');
  }

  protected send(due: DueDeadLinkMail): Promise<void> {
    const addressOf = (path: string) => new URL(path, this.config.SITE_URL).href;
    return this.mailer.send(`dead-links-${due.id}`, composeDeadLinkMail(due, { addressOf }));
  }
}
