import { withTaskSpan } from '@stoa/telemetry';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { composeChangeMail } from './change-mail.ts';
import { IdentityConfig } from './identity.config.ts';
import { IdentityRepository, type UnmailedChange } from './identity.repository.ts';
import { mailFailure, mailLeaseMs, MailerClient } from './mailer.client.ts';
import { newUndoToken, undoTokenHash } from './undo-token.ts';

/** Mails changes of an account to the address it had before, with a link to take them back. */
@Injectable()
export class ChangeMailer implements BeforeApplicationShutdown {
  readonly #logger = new Logger(ChangeMailer.name);
  #working: Promise<void> | undefined;
  #stopped = false;

  constructor(
    private readonly accounts: IdentityRepository,
    private readonly config: IdentityConfig,
    private readonly mailer: MailerClient,
  ) {}

  /** Looks for changes that are not mailed yet. Nobody waits for the mail server. */
  wake(): void {
    this.#working ??= this.#mailAll().finally(() => (this.#working = undefined));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#stopped = true;
    await this.#working;
  }

  async #mailAll(): Promise<void> {
    try {
      while (!this.#stopped) {
        const token = newUndoToken();
        const change = await this.accounts.takeUnmailedChange(mailLeaseMs, undoTokenHash(token));
        if (!change) return;
        await withTaskSpan('mail change', {}, () => this.#mail(change, token));
      }
    } catch (error) {
      this.#logger.warn(`a mail about a change waits: ${mailFailure(error)}`);
    }
  }

  async #mail({ id, ...change }: UnmailedChange, token: string): Promise<void> {
    const link = new URL(`/undo-change#${token}`, this.config.SITE_URL);
    await this.mailer.send(`change-${undoTokenHash(token)}`, composeChangeMail(change, link.href));
    await this.accounts.markChangeMailed(id);
  }
}
