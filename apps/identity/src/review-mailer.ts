import { paths } from '@stoa/contracts';
import { withTaskSpan } from '@stoa/telemetry';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { IdentityConfig } from './identity.config.ts';
import { IdentityRepository } from './identity.repository.ts';
import { mailFailure, mailLeaseMs, MailerClient } from './mailer.client.ts';
import { composeReviewMail } from './review-mail.ts';
import type { DueReviewMail } from './review-mails.repository.ts';

const everyMs = 3000;
const firstPauseMs = 5000;
const longestPauseMs = 600_000;

/** Mails creators what operators decided about their pages. */
@Injectable()
export class ReviewMailer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #logger = new Logger(ReviewMailer.name);
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
        const due = await this.accounts.reviewMails.takeDue(mailLeaseMs);
        if (!due) return;
        await withTaskSpan('mail review', {}, () => this.#mail(due));
      }
    } catch (error) {
      this.#logger.warn(`mails about decisions wait: ${String(error)}`);
    }
  }

  async #mail(due: DueReviewMail): Promise<void> {
    const { id, attempts } = due;
    const addressOf = (path: string) => new URL(path, this.config.SITE_URL).href;
    const links = { dashboard: addressOf(paths.dashboard), guidelines: addressOf(paths.guidelines) };
    try {
      await this.mailer.send(`review-${id}`, composeReviewMail(due, links));
      await this.accounts.reviewMails.markMailed(id);
    } catch (error) {
      this.#logger.warn(`the mail about decision ${id} waits, attempt ${attempts}: ${mailFailure(error)}`);
      const pause = Math.min(firstPauseMs * 2 ** (attempts - 1), longestPauseMs);
      await this.accounts.reviewMails.retryIn(id, pause);
    }
  }
}
