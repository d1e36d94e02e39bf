import { mailTransport, senderOf, withSendTimeout } from '@stoa/platform';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import { IdentityConfig } from '../identity.config.ts';
import { type MailKind, RecipientMails } from './recipient-mails.repository.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** The footer of mails that need no action. */
export const footer = 'Stoa, a home for creators.';

/** The recipient's daily limit is reached, so the mail waits. */
export class RecipientLimitReached extends Error {
  readonly code = 'ERECIPIENTFULL';
}

@Injectable()
export class MailerClient implements OnApplicationShutdown {
  readonly #transport;

  constructor(
    private readonly config: IdentityConfig,
    private readonly recipients: RecipientMails,
  ) {
    this.#transport = createTransport({ url: config.SMTP_URL, ...mailTransport });
  }

  /**
   * Sends a mail to the mail server. A repeated mail has the same `name`, so that mail programs can recognise
   * it.
   * @throws RecipientLimitReached
   */
  async send(name: string, mail: Mail, kind: Exclude<MailKind, 'proof'> = 'other'): Promise<void> {
    if (!(await this.recipients.claim(mail.to, kind))) throw new RecipientLimitReached();
    const messageId = `<${name}@${new URL(this.config.SITE_URL).hostname}>`;
    const message = { from: senderOf(this.config.MAIL_FROM), messageId, ...mail };
    try {
      await withSendTimeout(this.#transport.sendMail(message));
    } catch (error) {
      await this.recipients.unclaim(mail.to).catch(() => undefined);
      throw error;
    }
  }

  onApplicationShutdown(): void {
    this.#transport.close();
  }
}

/** Why a mail failed, as codes only: the server's reply may contain the recipient's address. */
export function mailFailureCodes(error: unknown): string {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  return [code, responseCode].filter(Boolean).join(' ');
}
