import { withTaskSpan } from '@stoa/telemetry';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import { composeChangeMail } from './change-mail.ts';
import { IdentityConfig } from './identity.config.ts';
import { IdentityRepository, type UnmailedChange } from './identity.repository.ts';
import { newUndoToken, undoTokenHash } from './undo-token.ts';

// Longer than the mail server may take over one mail: 15 s until it greets, then 10 s for each of a dozen commands. A
// refused one is tried again after it too.
const leaseMs = 180_000;

/** Mails changes of an account to the address it had before, with a link to take them back. */
@Injectable()
export class ChangeMailer implements BeforeApplicationShutdown {
  readonly #logger = new Logger(ChangeMailer.name);
  readonly #transport;
  #working: Promise<void> | undefined;
  #stopped = false;

  constructor(
    private readonly accounts: IdentityRepository,
    private readonly config: IdentityConfig,
  ) {
    this.#transport = createTransport({
      url: config.SMTP_URL,
      dnsTimeout: 5000,
      connectionTimeout: 5000,
      greetingTimeout: 5000,
      socketTimeout: 10_000,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  /** Looks for changes that are not mailed yet. Nobody waits for the mail server. */
  wake(): void {
    this.#working ??= this.#mailAll().finally(() => (this.#working = undefined));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#stopped = true;
    await this.#working;
    this.#transport.close();
  }

  async #mailAll(): Promise<void> {
    try {
      while (!this.#stopped) {
        const token = newUndoToken();
        const change = await this.accounts.takeUnmailedChange(leaseMs, undoTokenHash(token));
        if (!change) return;
        await withTaskSpan('mail change', {}, () => this.#mail(change, token));
      }
    } catch (error) {
      // A mail server's own words may name the address.
      const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
      this.#logger.warn(`a mail about a change waits: ${[code, responseCode].filter(Boolean).join(' ')}`);
    }
  }

  async #mail({ id, ...change }: UnmailedChange, token: string): Promise<void> {
    const link = new URL(`/undo-change#${token}`, this.config.SITE_URL);
    await this.#transport.sendMail({
      from: this.config.MAIL_FROM,
      messageId: `<change-${undoTokenHash(token)}@${link.hostname}>`,
      ...composeChangeMail(change, link.href),
    });
    await this.accounts.markChangeMailed(id);
  }
}
