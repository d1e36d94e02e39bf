import { LeaseWorker, mailLeaseMs } from '@stoa/platform';
import { withClientSpan, type Carrier, count, metrics, observe, traceHeaders } from '@stoa/telemetry';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ContactConfig } from '../contact.config.ts';
import { MailerClient, MailFailure } from './mailer.client.ts';
import { type UnsentMessage, UnsentMessages } from './unsent-messages.repository.ts';

export const maxOrigins = 1000;

/** Mails stored messages, and retries them while the mail server is down. */
@Injectable()
export class MailQueue extends LeaseWorker<UnsentMessage> {
  // If another replica mails the message, its entry stays here until the cache evicts it.
  private readonly origins = new LRUCache<string, Carrier>({ max: maxOrigins });
  private unobserve: () => void = () => undefined;

  constructor(
    private readonly messages: UnsentMessages,
    private readonly mailer: MailerClient,
    private readonly config: ContactConfig,
  ) {
    const names = { task: 'mail', row: 'message' };
    const firstPauseMs = config.MAIL_RETRY_MS;
    super(messages, { ...names, leaseMs: mailLeaseMs, graceMs: mailLeaseMs, firstPauseMs });
  }

  override onApplicationBootstrap(): void {
    super.onApplicationBootstrap();
    this.unobserve = observe(metrics.mailAge, () => this.messages.oldestAge());
  }

  /**
   * Keeps the trace of a message. Called before storing it, because a running round may mail it immediately.
   */
  expect(id: string): void {
    this.origins.set(id, traceHeaders());
  }

  override async beforeApplicationShutdown(): Promise<void> {
    this.unobserve();
    await super.beforeApplicationShutdown();
  }

  protected override originOf({ id }: UnsentMessage): Carrier {
    return this.origins.get(id) ?? {};
  }

  protected async work(message: UnsentMessage): Promise<void> {
    await withClientSpan('SMTP send', {}, () => this.mailer.send(message));
    count(metrics.contactMailed);
    this.origins.delete(message.id);
  }

  protected override complete({ id }: UnsentMessage): Promise<void> {
    return this.messages.markMailed(id);
  }

  /** After a permanent rejection the queue mails the next message; after other errors it pauses. */
  protected override async failed(message: UnsentMessage, error: unknown): Promise<number | void> {
    const isOfThisMessage = error instanceof MailFailure && error.isOfThisMessage;
    if (isOfThisMessage) await this.messages.markRefused(message.id);
    await super.failed(message, error);
    if (!isOfThisMessage) return this.config.MAIL_RETRY_MS;
  }
}
