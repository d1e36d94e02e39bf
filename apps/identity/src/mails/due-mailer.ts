import { type LeasedRow, type LeasedRows, LeaseWorker, mailLeaseMs } from '@stoa/platform';
import { mailFailureCodes, RecipientLimitReached } from './mailer.client.ts';

const longestPauseMs = 3_600_000;
/** About a week of retries, after which a mail is given up. */
const mostAttempts = 170;

/**
 * The rows of mails of one kind. A row exists until the mail server accepts its mail. Mails to one recipient
 * are leased in order.
 */
export interface MailRows<M extends LeasedRow> extends LeasedRows<M> {
  remove(id: string): Promise<void>;
}

/** Sends the mails of one kind. */
export abstract class DueMailer<M extends LeasedRow> extends LeaseWorker<M> {
  protected constructor(
    private readonly mails: MailRows<M>,
    /** The subject of the mails, for spans and the log. */
    about: string,
  ) {
    const task = `mail ${about}`;
    super(mails, {
      ...{ task, row: task, leaseMs: mailLeaseMs, graceMs: mailLeaseMs },
      ...{ longestPauseMs, mostAttempts },
    });
  }

  protected override async complete({ id }: M): Promise<void> {
    await this.mails.remove(id);
  }

  protected override async giveUp({ id }: M): Promise<void> {
    await this.mails.remove(id);
  }

  /** A mail over the recipient's daily limit is postponed, however often that happens. */
  protected override async failed(mail: M, error: unknown): Promise<void> {
    if (error instanceof RecipientLimitReached) await this.mails.putOff(mail, longestPauseMs);
    else await super.failed(mail, error);
  }

  protected override reasonOf(error: unknown): string {
    return mailFailureCodes(error);
  }
}
