import { withTaskSpan } from '@stoa/telemetry';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { composeDeadLinkMail } from './dead-link-mail.ts';
import type { DueDeadLinkMail } from './dead-link-mails.repository.ts';
import { IdentityConfig } from './identity.config.ts';
import { IdentityRepository } from './identity.repository.ts';
import { mailFailure, mailLeaseMs, MailerClient } from './mailer.client.ts';

const everyMs = 3000;
const firstPauseMs = 5000;
const longestPauseMs = 600_000;

/** Mails creators which of their links no longer work. */
@Injectable()
export class DeadLinkMailer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #logger = new Logger(DeadLinkMailer.name);
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> | undefined;
  #stopped = false;

  constructor(
    private readonly accounts: IdentityRepository,
    private readonly config: IdentityConfig,
    private readonly mailer: MailerClient,
  ) {}

  onApplicationBootstrap(): void {
    this.#timer = setInterval(() => this.wake(), everyMs);
  }

  /** Looks for mails that are due. Nobody waits for the mail server. */
  wake(): void {
    this.#working ??= this.#mailAll().finally(() => (this.#working = undefined));
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopped = true;
    await this.#working;
  }

  async #mailAll(): Promise<void> {
    try {
      while (!this.#stopped) {
        const due = await this.accounts.deadLinkMails.takeDue(mailLeaseMs);
        if (!due) return;
        await withTaskSpan('mail dead links', {}, () => this.#mail(due));
      }
    } catch (error) {
      this.#logger.warn(`mails about dead links wait: ${String(error)}`);
    }
  }

  async #mail(due: DueDeadLinkMail): Promise<void> {
    const { id, attempts } = due;
    const addressOf = (path: string) => new URL(path, this.config.SITE_URL).href;
    try {
      await this.mailer.send(`dead-links-${id}`, composeDeadLinkMail(due, { addressOf }));
      await this.accounts.deadLinkMails.markMailed(id);
    } catch (error) {
      this.#logger.warn(`the mail about dead links ${id} waits, attempt ${attempts}: ${mailFailure(error)}`);
      const pause = Math.min(firstPauseMs * 2 ** (attempts - 1), longestPauseMs);
      await this.accounts.deadLinkMails.retryIn(id, pause);
    }
  }
}
