import { senderOf } from '@stoa/platform';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import { setTimeout } from 'node:timers/promises';
import { IdentityConfig } from './identity.config.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Below mails that ask for nothing. */
export const footer = 'Stoa, a home for creators.';

/** 15 s until the mail server greets, then 10 s for each of a dozen commands; one that says a word now and then gets no more. */
const longestSendMs = 150_000;
/** Longer than the mail server may take over one mail. A refused one is tried again after it too. */
export const mailLeaseMs = 180_000;

@Injectable()
export class MailerClient implements OnApplicationShutdown {
  readonly #transport;

  constructor(private readonly config: IdentityConfig) {
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

  /** Hands a mail to the mail server. `name` is the same for a repeated mail, by which it can be recognised. */
  async send(name: string, mail: Mail): Promise<void> {
    const messageId = `<${name}@${new URL(this.config.SITE_URL).hostname}>`;
    const sent = this.#transport.sendMail({ from: senderOf(this.config.MAIL_FROM), messageId, ...mail });
    const late = setTimeout(longestSendMs, undefined, { ref: false }).then(() => {
      throw Object.assign(new Error('The mail server takes too long.'), { code: 'ETIMEDOUT' });
    });
    await Promise.race([sent, late]);
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
