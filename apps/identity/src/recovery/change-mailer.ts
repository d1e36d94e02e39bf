import { DueWorker, mailLeaseMs } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { composeChangeMail } from './change-mail.ts';
import { IdentityConfig } from '../identity.config.ts';
import { mailFailureCodes, MailerClient } from '../mails/mailer.client.ts';
import { OwnerChanges, type UnmailedChange } from './owner-changes.repository.ts';
import { newUndoToken, undoTokenHash } from './undo-token.ts';

interface ChangeToMail {
  readonly change: UnmailedChange;
  readonly token: string;
}

/** Mails changes of an account to its previous address, with a link that undoes them. */
@Injectable()
export class ChangeMailer extends DueWorker<ChangeToMail> {
  constructor(
    private readonly changes: OwnerChanges,
    private readonly config: IdentityConfig,
    private readonly mailer: MailerClient,
  ) {
    const take = async (leaseMs: number) => {
      const token = newUndoToken();
      const change = await changes.leaseUnmailed(leaseMs, undoTokenHash(token));
      return change && { change, token };
    };
    const rows = { table: 'account_change', nextDueMs: () => changes.nextDueMs(), take };
    super(rows, { task: 'mail change', leaseMs: mailLeaseMs, graceMs: mailLeaseMs });
  }

  /** Errors are only logged, because `leaseUnmailed` has already scheduled the next attempt. */
  protected async attempt(taken: ChangeToMail): Promise<void> {
    try {
      await this.#mail(taken);
    } catch (error) {
      this.logger.warn(`the mail about a change was not sent and is retried: ${mailFailureCodes(error)}`);
    }
  }

  async #mail({ change: { id, ...change }, token }: ChangeToMail): Promise<void> {
    const link = new URL(`/undo-change#${token}`, this.config.SITE_URL);
    await this.mailer.send(`change-${undoTokenHash(token)}`, composeChangeMail(change, link.href), 'notice');
    await this.changes.markMailed([id, ...change.later.map((other) => other.id)]);
  }
}
