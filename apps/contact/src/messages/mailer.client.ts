import { mailTransport, senderOf, withSendTimeout } from '@stoa/platform';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import { ContactConfig } from '../contact.config.ts';
import type { UnsentMessage } from './unsent-messages.repository.ts';
import { composeMail, headerText } from './mail-message.ts';

/** Contains only codes of the error, because the server's reply may contain the recipient's address. */
export class MailFailure extends Error {
  private readonly code: string;
  private readonly reply: number | undefined;

  constructor(cause: unknown) {
    const { code, responseCode } = cause as { code?: unknown; responseCode?: unknown };
    const reply = typeof responseCode === 'number' ? responseCode : undefined;
    super(['mail not taken', code, reply].filter(Boolean).join(' '));
    this.code = String(code);
    this.reply = reply;
  }

  /** Whether the mail server rejected this mail permanently. If not, the server itself may be down. */
  get isOfThisMessage(): boolean {
    return ['EENVELOPE', 'EMESSAGE'].includes(this.code) && (this.reply ?? 0) >= 500;
  }
}

@Injectable()
export class MailerClient implements OnApplicationShutdown {
  private readonly transport;
  private readonly site: URL;

  constructor(private readonly config: ContactConfig) {
    this.site = new URL(config.SITE_URL);
    this.transport = createTransport({ url: config.SMTP_URL, ...mailTransport });
  }

  /**
   * Sends a message. Its id stays the same in each attempt, so that mail programs recognise duplicates.
   * @throws MailFailure
   */
  async send(message: UnsentMessage): Promise<void> {
    const mail = {
      from: senderOf(this.config.MAIL_FROM),
      replyTo: { name: headerText(message.name), address: message.email },
      messageId: `<contact-${message.id}@${this.site.hostname}>`,
      ...composeMail(message.to ?? this.config.OPERATOR_EMAIL, message, this.site),
    };
    await withSendTimeout(this.transport.sendMail(mail)).catch((error: unknown) => {
      throw new MailFailure(error);
    });
  }

  onApplicationShutdown(): void {
    this.transport.close();
  }
}
