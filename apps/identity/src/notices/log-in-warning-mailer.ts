import { Injectable } from '@nestjs/common';
import { DueMailer } from '../mails/due-mailer.ts';
import { IdentityConfig } from '../identity.config.ts';
import { composeLogInWarning } from './log-in-warning-mail.ts';
import { type DueLogInWarning, LogInWarnings } from './log-in-warnings.repository.ts';
import { MailerClient } from '../mails/mailer.client.ts';

@Injectable()
export class LogInWarningMailer extends DueMailer<DueLogInWarning> {
  constructor(
    rows: LogInWarnings,
    private readonly config: IdentityConfig,
    private readonly mailer: MailerClient,
  ) {
    super(rows, 'failed log-ins');
  }

  protected work(due: DueLogInWarning): Promise<void> {
    const addressOf = (path: string) => new URL(path, this.config.SITE_URL).href;
    return this.mailer.send(`log-ins-${due.id}`, composeLogInWarning(due, { addressOf }), 'notice');
  }
}
