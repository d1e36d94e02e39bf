import { withTaskSpan } from '@stoa/telemetry';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { composeExportMail } from './export-mail.ts';
import type { DueExportMail } from './export-mails.repository.ts';
import { IdentityConfig } from './identity.config.ts';
import { IdentityRepository } from './identity.repository.ts';
import { mailFailure, mailLeaseMs, MailerClient } from './mailer.client.ts';

const everyMs = 3000;
const firstPauseMs = 5000;
const longestPauseMs = 600_000;

/** Mails what became of exports. */
@Injectable()
export class ExportMailer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #logger = new Logger(ExportMailer.name);
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
        const due = await this.accounts.exportMails.takeDue(mailLeaseMs);
        if (!due) return;
        await withTaskSpan('mail export', {}, () => this.#mail(due));
      }
    } catch (error) {
      this.#logger.warn(`mails about exports wait: ${String(error)}`);
    }
  }

  async #mail(due: DueExportMail): Promise<void> {
    const { id, attempts } = due;
    const link = new URL('/dashboard/account?export', this.config.SITE_URL);
    try {
      await this.mailer.send(`export-${id}`, composeExportMail(due, link.href));
      await this.accounts.exportMails.markMailed(id);
    } catch (error) {
      this.#logger.warn(`the mail about export ${id} waits, attempt ${attempts}: ${mailFailure(error)}`);
      await this.accounts.exportMails.retryIn(
        id,
        Math.min(firstPauseMs * 2 ** (attempts - 1), longestPauseMs),
      );
    }
  }
}
