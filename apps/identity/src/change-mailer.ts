import { mailLeaseMs } from '@stoa/platform';
import { withTaskSpan } from '@stoa/telemetry';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { composeChangeMail } from './change-mail.ts';
import { composeLinkChangeMail } from './link-change-mail.ts';
import type { UnmailedLinkChange } from './link-changes.repository.ts';
import { IdentityConfig } from './identity.config.ts';
import { IdentityRepository, type UnmailedChange } from './identity.repository.ts';
import { mailFailure, MailerClient } from './mailer.client.ts';
import { newUndoToken, undoTokenHash } from './undo-token.ts';

/**
 * Mails changes of an account to the address it had before, and those of its links for payments to its own, with a link to
 * take them back.
 */
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

  /** Each kind by itself: a mail that is refused keeps none of the other kind. */
  async #mailAll(): Promise<void> {
    await this.#mailEach(
      'mail change',
      (hash) => this.accounts.takeUnmailedChange(mailLeaseMs, hash),
      (change, token) => this.#mailChange(change, token),
    );
    await this.#mailEach(
      'mail link change',
      (hash) => this.accounts.linkChanges.takeUnmailed(mailLeaseMs, hash),
      (change, token) => this.#mailLinkChange(change, token),
    );
  }

  async #mailEach<C>(
    task: string,
    take: (tokenHash: string) => Promise<C | null>,
    mail: (change: C, token: string) => Promise<void>,
  ): Promise<void> {
    try {
      while (!this.#stopped) {
        const token = newUndoToken();
        const change = await take(undoTokenHash(token));
        if (!change) return;
        await withTaskSpan(task, {}, () => mail(change, token));
      }
    } catch (error) {
      this.#logger.warn(`a mail about a change waits: ${mailFailure(error)}`);
    }
  }

  async #mailChange({ id, ...change }: UnmailedChange, token: string): Promise<void> {
    const link = new URL(`/undo-change#${token}`, this.config.SITE_URL);
    await this.mailer.send(`change-${undoTokenHash(token)}`, composeChangeMail(change, link.href));
    await this.accounts.markChangeMailed(id);
  }

  async #mailLinkChange({ id, ...change }: UnmailedLinkChange, token: string): Promise<void> {
    const link = new URL(`/undo-change?links#${token}`, this.config.SITE_URL);
    await this.mailer.send(`change-${undoTokenHash(token)}`, composeLinkChangeMail(change, link.href));
    await this.accounts.linkChanges.markMailed(id);
  }
}
