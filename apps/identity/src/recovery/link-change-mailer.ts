import { DueWorker, mailLeaseMs } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { composeLinkChangeMail } from './link-change-mail.ts';
import { IdentityConfig } from '../identity.config.ts';
import { LinkChanges, type UnmailedLinkChanges } from './link-changes.repository.ts';
import { mailFailureCodes, MailerClient } from '../mails/mailer.client.ts';
import { undoTokenHash } from './undo-token.ts';

/** Mails owners about changed payment links, with an undo link for each change. */
@Injectable()
export class LinkChangeMailer extends DueWorker<UnmailedLinkChanges> {
  constructor(
    private readonly changes: LinkChanges,
    private readonly config: IdentityConfig,
    private readonly mailer: MailerClient,
  ) {
    super(changes, { task: 'mail link change', leaseMs: mailLeaseMs, graceMs: mailLeaseMs });
  }

  /** Errors are only logged, because `take` has already scheduled the next attempt. */
  protected async attempt(taken: UnmailedLinkChanges): Promise<void> {
    try {
      await this.#mail(taken);
    } catch (error) {
      this.logger.warn(
        `the mail about a link change was not sent and is retried: ${mailFailureCodes(error)}`,
      );
    }
  }

  async #mail({ changes, tokens }: UnmailedLinkChanges): Promise<void> {
    if (changes.length === 0) return;
    const links = tokens.map((token) => new URL(`/undo-change?links#${token}`, this.config.SITE_URL).href);
    const name = `change-${undoTokenHash(tokens.join())}`;
    await this.mailer.send(name, composeLinkChangeMail(changes, links), 'notice');
    await this.changes.markMailed(changes.map(({ id }) => id));
  }
}
