import { paths } from '@stoa/contracts';
import { Injectable } from '@nestjs/common';
import { DueMailer } from '../mails/due-mailer.ts';
import { IdentityConfig } from '../identity.config.ts';
import { MailerClient } from '../mails/mailer.client.ts';
import { composeReviewMail } from './review-mail.ts';
import { type DueReviewMail, ReviewMails } from './review-mails.repository.ts';

@Injectable()
export class ReviewMailer extends DueMailer<DueReviewMail> {
  constructor(
    rows: ReviewMails,
    private readonly config: IdentityConfig,
    private readonly mailer: MailerClient,
  ) {
    super(rows, 'decisions');
  }

  protected work(due: DueReviewMail): Promise<void> {
    const addressOf = (path: string) => new URL(path, this.config.SITE_URL).href;
    const links = { dashboard: addressOf(paths.dashboard), guidelines: addressOf(paths.guidelines) };
    return this.mailer.send(`review-${due.id}`, composeReviewMail(due, links));
  }
}
