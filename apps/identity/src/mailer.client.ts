import { mailTransport, senderOf, sentInTime } from '@stoa/platform';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import { IdentityConfig } from './identity.config.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Below mails that ask for nothing. */
export const footer = 'Stoa, a home for creators.';

@Injectable()
export class MailerClient implements OnApplicationShutdown {
  readonly #transport;

  constructor(private readonly config: IdentityConfig) {
    this.#transport = createTransport({ url: config.SMTP_URL, ...mailTransport });
  }

  /** Hands a mail to the mail server. `name` is the same for a repeated mail, by which it can be recognised. */
  async send(name: string, mail: Mail): Promise<void> {
    const messageId = `<${name}@${new URL(this.config.SITE_URL).hostname}>`;
    await sentInTime(this.#transport.sendMail({ from: senderOf(this.config.MAIL_FROM), messageId, ...mail }));
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
