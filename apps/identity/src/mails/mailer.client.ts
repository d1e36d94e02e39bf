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

/** Footer of mails that require no action of the recipient. */
export const footer = 'Stoa, a home for creators.';

/** The recipient has received the maximum number of mails for today. The mail is sent later. */
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
   * Sends a mail. Each attempt has the same `name`, by which mail programs recognise duplicates.
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

/** Error codes only, because the result is logged and the server's reply may contain an address. */
export function mailFailureCodes(error: unknown): string {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  return [code, responseCode].filter(Boolean).join(' ');
}
