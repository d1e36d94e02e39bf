import type { ContactMessage } from '@stoa/contracts';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import { ContactConfig } from './contact.config.ts';

@Injectable()
export class MailerClient implements OnApplicationShutdown {
  private readonly transport;

  constructor(private readonly config: ContactConfig) {
    this.transport = createTransport({
      url: config.SMTP_URL,
      connectionTimeout: 5000,
      greetingTimeout: 5000,
      socketTimeout: 10_000,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  /** Hands a message to the operator's mail server. The message id lets a repeated mail be recognised. */
  async send({ id, name, email, subject, message }: ContactMessage): Promise<void> {
    const domain = new URL(this.config.SITE_URL).hostname;
    await this.transport.sendMail({
      from: this.config.MAIL_FROM,
      to: this.config.OPERATOR_EMAIL,
      replyTo: { name, address: email },
      subject: `[Contact] ${subject}`,
      messageId: `<contact-${id}@${domain}>`,
      text: `${name} <${email}> wrote:\n\n${message}\n`,
    });
  }

  onApplicationShutdown(): void {
    this.transport.close();
  }
}
