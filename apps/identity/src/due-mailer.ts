import { mailLeaseMs, WokenWorker } from '@stoa/platform';
import { withTaskSpan } from '@stoa/telemetry';
import { type BeforeApplicationShutdown, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { mailFailure, RecipientFull } from './mailer.client.ts';

const everyMs = 3000;
const firstPauseMs = 5000;
const longestPauseMs = 3_600_000;
/** About a week: what was refused for so long is not mailed any more. */
const mostAttempts = 170;

export interface DueMail {
  readonly id: string;
  readonly attempts: number;
}

/** Mails of one kind, each a row until the mail server has taken it. */
export interface MailRows<M extends DueMail> {
  /** Puts off its next try by `leaseMs`. What goes to one recipient comes in its order: none while an earlier one waits. */
  takeDue(leaseMs: number): Promise<M | null>;
  retryIn(id: string, ms: number): Promise<void>;
  /** Nothing more is to be done about it. */
  markMailed(id: string): Promise<void>;
}

/** Mails what is due of one kind, one after the other, now and whenever the mail server is back. */
export abstract class DueMailer<M extends DueMail>
  implements OnApplicationBootstrap, BeforeApplicationShutdown
{
  readonly #logger = new Logger(this.constructor.name);
  /** Taken by the mail server, and not noted yet: the database may be away just then. */
  readonly #unnoted = new Set<string>();
  readonly #worker = new WokenWorker(this.constructor.name, { everyMs, graceMs: mailLeaseMs }, (signal) =>
    this.#mailAll(signal),
  );

  protected constructor(
    private readonly rows: MailRows<M>,
    /** What the mails are about, for spans and the log. */
    private readonly about: string,
  ) {}

  protected abstract send(due: M): Promise<void>;

  onApplicationBootstrap(): void {
    this.#worker.start();
  }

  /** Looks for mails that are due. Nobody waits for the mail server. */
  wake(): void {
    this.#worker.wake();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.#worker.stop();
  }

  async #mailAll(signal: AbortSignal): Promise<void> {
    await this.#note();
    while (!signal.aborted) {
      const due = await this.rows.takeDue(mailLeaseMs);
      if (!due) return;
      await withTaskSpan(`mail ${this.about}`, {}, () => this.#mail(due));
    }
  }

  async #mail(due: M): Promise<void> {
    const { id, attempts } = due;
    try {
      await this.send(due);
    } catch (error) {
      if (error instanceof RecipientFull) return this.rows.retryIn(id, longestPauseMs);
      const given = attempts >= mostAttempts;
      const next = given ? 'is given up' : 'waits';
      this.#logger.warn(`mail ${id} about ${this.about} ${next}, attempt ${attempts}: ${mailFailure(error)}`);
      if (given) return this.rows.markMailed(id);
      return this.rows.retryIn(id, Math.min(firstPauseMs * 2 ** (attempts - 1), longestPauseMs));
    }
    this.#unnoted.add(id);
    await this.#note();
  }

  async #note(): Promise<void> {
    for (const id of this.#unnoted) {
      await this.rows.markMailed(id);
      this.#unnoted.delete(id);
    }
  }
}
