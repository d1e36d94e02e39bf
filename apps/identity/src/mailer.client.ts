import { mailTransport, senderOf, sentInTime } from '@stoa/platform';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import { IdentityConfig } from './identity.config.ts';
import { IdentityRepository } from './identity.repository.ts';
import type { MailKind } from './recipient-mails.repository.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Below mails that ask for nothing. */
export const footer = 'Stoa, a home for creators.';

/** The recipient has had enough mails of the last day: this one waits. */
export class RecipientFull extends Error {
  readonly code = 'ERECIPIENTFULL';
}

@Injectable()
export class MailerClient implements OnApplicationShutdown {
  readonly #transport;

  constructor(
    private readonly config: IdentityConfig,
    private readonly accounts: IdentityRepository,
  ) {
    this.#transport = createTransport({ url: config.SMTP_URL, ...mailTransport });
  }

  /**
   * Hands a mail to the mail server. `name` is the same for a repeated mail, by which it can be recognised.
   * @throws RecipientFull
   */
  async send(name: string, mail: Mail, kind: Exclude<MailKind, 'proof'> = 'other'): Promise<void> {
    if (!(await this.accounts.claimMail(mail.to, kind))) throw new RecipientFull();
    const messageId = `<${name}@${new URL(this.config.SITE_URL).hostname}>`;
    const message = { from: senderOf(this.config.MAIL_FROM), messageId, ...mail };
    try {
      await sentInTime(this.#transport.sendMail(message));
    } catch (error) {
      await this.accounts.unclaimMail(mail.to).catch(() => undefined);
      throw error;
    }
  }

  onApplicationShutdown(): void {
    this.#transport.close();
  }
}

/** Why a mail was not taken, in codes alone: a mail server's own words may name the address. */
export function mailFailure(error: unknown): string {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  return [code, responseCode].filter(Boolean).join(' ');
}
