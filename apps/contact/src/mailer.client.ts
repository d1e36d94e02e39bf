import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import { ContactConfig } from './contact.config.ts';
import type { Unsent } from './contact.repository.ts';
import { letterTo } from './letter.ts';

@Injectable()
export class MailerClient implements OnApplicationShutdown {
  private readonly transport;
  private readonly site: URL;

  constructor(private readonly config: ContactConfig) {
    this.site = new URL(config.SITE_URL);
    this.transport = createTransport({
      url: config.SMTP_URL,
      connectionTimeout: 5000,
      greetingTimeout: 5000,
      socketTimeout: 10_000,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  /** Hands a message to the mail server. The message id lets a repeated mail be recognised. */
  async send(message: Unsent): Promise<void> {
    await this.transport.sendMail({
      from: this.config.MAIL_FROM,
      replyTo: { name: message.name, address: message.email },
      messageId: `<contact-${message.id}@${this.site.hostname}>`,
      ...letterTo(message.to ?? this.config.OPERATOR_EMAIL, message, this.site),
    });
  }

  onApplicationShutdown(): void {
    this.transport.close();
  }
}

/** Whether the mail server refused this one letter for good, while others may still pass. */
export function isRefusedLetter(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error && 'responseCode' in error)) return false;
  return ['EENVELOPE', 'EMESSAGE'].includes(String(error.code)) && Number(error.responseCode) >= 500;
}
