import { Injectable } from '@nestjs/common';
import { DueMailer } from './due-mailer.ts';
import { IdentityConfig } from './identity.config.ts';
import { IdentityRepository } from './identity.repository.ts';
import { composeLogInWarning } from './log-in-warning-mail.ts';
import type { DueLogInWarning } from './log-in-warnings.repository.ts';
import { MailerClient } from './mailer.client.ts';

/** Mails owners about failed log-ins to their account. */
@Injectable()
export class LogInWarningMailer extends DueMailer<DueLogInWarning> {
  constructor(
    accounts: IdentityRepository,
    private readonly config: IdentityConfig,
    private readonly mailer: MailerClient,
  ) {
    super(accounts.logInWarnings, 'failed log-ins');
  }

  protected send(due: DueLogInWarning): Promise<void> {
    const addressOf = (path: string) => new URL(path, this.config.SITE_URL).href;
    return this.mailer.send(`log-ins-${due.id}`, composeLogInWarning(due, { addressOf }), 'notice');
  }
}
