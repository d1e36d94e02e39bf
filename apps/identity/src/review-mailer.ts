import { paths } from '@stoa/contracts';
import { Injectable } from '@nestjs/common';
import { DueMailer } from './due-mailer.ts';
import { IdentityConfig } from './identity.config.ts';
import { IdentityRepository } from './identity.repository.ts';
import { MailerClient } from './mailer.client.ts';
import { composeReviewMail } from './review-mail.ts';
import type { DueReviewMail } from './review-mails.repository.ts';

/** Mails creators what operators decided about their pages. */
@Injectable()
export class ReviewMailer extends DueMailer<DueReviewMail> {
  constructor(
    accounts: IdentityRepository,
    private readonly config: IdentityConfig,
    private readonly mailer: MailerClient,
  ) {
    super(accounts.reviewMails, 'decisions');
  }

  protected send(due: DueReviewMail): Promise<void> {
    const addressOf = (path: string) => new URL(path, this.config.SITE_URL).href;
    const links = { dashboard: addressOf(paths.dashboard), guidelines: addressOf(paths.guidelines) };
    return this.mailer.send(`review-${due.id}`, composeReviewMail(due, links));
  }
}
