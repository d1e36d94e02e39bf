import { mailLeaseMs, WokenWorker } from '@stoa/platform';
import {
  withClientSpan,
  withTaskSpan,
  type Carrier,
  count,
  metrics,
  observe,
  traceHeaders,
} from '@stoa/telemetry';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ContactConfig } from './contact.config.ts';
import { ContactRepository, type UnsentMessage } from './contact.repository.ts';
import { MailerClient, MailFailure } from './mailer.client.ts';

const longestPauseMs = 3_600_000;
/** Messages of which the queue knows which trace brought them. */
export const maxOrigins = 1000;

/** Mails what is stored and not yet mailed, now and whenever the mail server is back. */
@Injectable()
export class MailQueue implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(MailQueue.name);
  private readonly worker: WokenWorker;
  // A message that another replica mails is never asked for here: the longest unused goes when there is no room.
  private readonly origins = new LRUCache<string, Carrier>({ max: maxOrigins });
  /** Taken by the mail server, and noted before anything else is taken; another replica or start may mail one again. */
  private readonly unnoted = new Set<string>();
  private unobserve: () => void = () => undefined;

  constructor(
    private readonly messages: ContactRepository,
    private readonly mailer: MailerClient,
    private readonly config: ContactConfig,
  ) {
    const times = { everyMs: config.MAIL_RETRY_MS, graceMs: mailLeaseMs };
    this.worker = new WokenWorker(MailQueue.name, times, (signal) => this.drain(signal));
  }

  onApplicationBootstrap(): void {
    this.worker.start();
    this.unobserve = observe(metrics.mailAge, () => this.messages.oldestUnsent());
  }

  /** Notes which trace brings a message, before it is stored: a look that is under way may take it at once. */
  expect(id: string): void {
    this.origins.set(id, traceHeaders());
  }

  /** Looks for unsent mail soon; a look that is under way is followed by another. */
  wake(): void {
    this.worker.wake();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.unobserve();
    await this.worker.stop();
  }

  private async drain(signal: AbortSignal): Promise<void> {
    try {
      for (let next = await this.take(signal); next; next = await this.take(signal)) await this.post(next);
    } catch (error) {
      // Of a mail server that is away the log has a line already.
      if (!(error instanceof MailFailure)) throw error;
    }
  }

  private async take(signal: AbortSignal): Promise<UnsentMessage | null> {
    await this.note();
    return signal.aborted ? null : this.messages.leaseUnsent(mailLeaseMs);
  }

  private async post(message: UnsentMessage): Promise<void> {
    const origin = this.origins.get(message.id) ?? {};
    await withTaskSpan('mail', origin, () => this.mail(message));
  }

  private async mail(message: UnsentMessage): Promise<void> {
    try {
      await withClientSpan('SMTP send', {}, () => this.mailer.send(message));
      count(metrics.contactMailed);
    } catch (error) {
      const pause = this.config.MAIL_RETRY_MS * 2 ** Math.min(message.attempts - 1, 8);
      const refused = error instanceof MailFailure && error.isOfThisMessage;
      await this.messages.retryIn(message.id, Math.min(pause, longestPauseMs), refused);
      // Said here, where the line still carries the trace of the sender.
      this.logger.warn(`message ${message.id} waits, attempt ${message.attempts}: ${String(error)}`);
      // A mailbox that takes no mail does not hold up the others.
      if (!refused) throw error;
      return;
    }
    this.origins.delete(message.id);
    this.unnoted.add(message.id);
    await this.note();
  }

  private async note(): Promise<void> {
    for (const id of this.unnoted) {
      await this.messages.markMailed(id);
      this.unnoted.delete(id);
    }
  }
}
