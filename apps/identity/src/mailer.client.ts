import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import { IdentityConfig } from './identity.config.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/**
 * Longer than the mail server may take over one mail: 15 s until it greets, then 10 s for each of a dozen commands. A
 * refused one is tried again after it too.
 */
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
    await this.#transport.sendMail({ from: this.config.MAIL_FROM, messageId, ...mail });
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
