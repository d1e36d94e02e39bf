import { type LeasedRow, type LeasedRows, LeaseWorker, mailLeaseMs } from '@stoa/platform';
import { mailFailureCodes, RecipientLimitReached } from './mailer.client.ts';

const longestPauseMs = 3_600_000;
/** The number of attempts, about a week of retries, after which a mail is deleted unsent. */
const mostAttempts = 170;

/** Stored mails of one kind. A row exists until the mail server accepts the mail. */
export interface MailRows<M extends LeasedRow> extends LeasedRows<M> {
  remove(id: string): Promise<void>;
}

/** A worker that sends the stored mails of one kind. */
export abstract class DueMailer<M extends LeasedRow> extends LeaseWorker<M> {
  protected constructor(
    private readonly mails: MailRows<M>,
    /** What the mails are about, for traces and the log. */
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

  /** Reaching the recipient's daily limit only postpones the mail, however often it happens. */
  protected override async failed(mail: M, error: unknown): Promise<void> {
    if (error instanceof RecipientLimitReached) await this.mails.putOff(mail, longestPauseMs);
    else await super.failed(mail, error);
  }

  protected override reasonOf(error: unknown): string {
    return mailFailureCodes(error);
  }
}
