import { mailLeaseMs, WokenWorker } from '@stoa/platform';
import { withTaskSpan } from '@stoa/telemetry';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { composeChangeMail } from './change-mail.ts';
import { composeLinkChangeMail } from './link-change-mail.ts';
import type { UnmailedLinkChanges } from './link-changes.repository.ts';
import { IdentityConfig } from './identity.config.ts';
import { IdentityRepository, type UnmailedChange } from './identity.repository.ts';
import { mailFailure, MailerClient } from './mailer.client.ts';
import { newUndoToken, undoTokenHash } from './undo-token.ts';

const everyMs = 1000;

/**
 * Mails changes of an account to the address it had before, and those of its links for payments to its own, with a link to
 * take them back.
 */
@Injectable()
export class ChangeMailer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #logger = new Logger(ChangeMailer.name);
  readonly #worker = new WokenWorker(ChangeMailer.name, { everyMs, graceMs: mailLeaseMs }, (signal) =>
    this.#mailAll(signal),
  );

  constructor(
    private readonly accounts: IdentityRepository,
    private readonly config: IdentityConfig,
    private readonly mailer: MailerClient,
  ) {}

  onApplicationBootstrap(): void {
    this.#worker.start();
  }

  /** Looks for changes that are not mailed yet. Nobody waits for the mail server. */
  wake(): void {
    this.#worker.wake();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.#worker.stop();
  }

  async #mailAll(signal: AbortSignal): Promise<void> {
    await this.#mailEach(
      signal,
      'mail change',
      async () => {
        const token = newUndoToken();
        const change = await this.accounts.takeUnmailedChange(mailLeaseMs, undoTokenHash(token));
        return change && { change, token };
      },
      ({ change, token }) => this.#mailChange(change, token),
    );
    await this.#mailEach(
      signal,
      'mail link change',
      () => this.accounts.linkChanges.takeUnmailed(mailLeaseMs),
      (taken) => this.#mailLinkChanges(taken),
    );
  }

  /** A mail that cannot be sent waits for its own next try, which `take` has put off, and holds no other. */
  async #mailEach<C>(
    signal: AbortSignal,
    task: string,
    take: () => Promise<C | null>,
    mail: (taken: C) => Promise<void>,
  ): Promise<void> {
    while (!signal.aborted) {
      const taken = await take();
      if (!taken) return;
      try {
        await withTaskSpan(task, {}, () => mail(taken));
      } catch (error) {
        this.#logger.warn(`a mail about a change waits: ${mailFailure(error)}`);
      }
    }
  }

  async #mailChange({ id, ...change }: UnmailedChange, token: string): Promise<void> {
    const link = new URL(`/undo-change#${token}`, this.config.SITE_URL);
    await this.mailer.send(`change-${undoTokenHash(token)}`, composeChangeMail(change, link.href), 'notice');
    await this.accounts.markChangeMailed(id);
  }

  async #mailLinkChanges({ changes, tokens }: UnmailedLinkChanges): Promise<void> {
    const links = tokens.map((token) => new URL(`/undo-change?links#${token}`, this.config.SITE_URL).href);
    await this.mailer.send(
      `change-${undoTokenHash(tokens.join())}`,
      composeLinkChangeMail(changes, links),
      'notice',
    );
    await this.accounts.linkChanges.markMailed(changes.map(({ id }) => id));
  }
}
