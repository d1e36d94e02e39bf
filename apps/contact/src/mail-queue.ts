import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { ContactConfig } from './contact.config.ts';
import { ContactRepository } from './contact.repository.ts';
import { MailerClient } from './mailer.client.ts';

/** Mails what is stored and not yet mailed, now and whenever the mail server is back. */
@Injectable()
export class MailQueue implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(MailQueue.name);
  private timer: NodeJS.Timeout | undefined;
  private working: Promise<void> | undefined;
  private again = false;

  constructor(
    private readonly messages: ContactRepository,
    private readonly mailer: MailerClient,
    private readonly config: ContactConfig,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.wake(), this.config.MAIL_RETRY_MS);
    this.wake();
  }

  /** Looks for unsent mail soon; a look that is under way is followed by another. */
  wake(): void {
    this.again = true;
    this.working ??= this.drain().finally(() => (this.working = undefined));
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.working;
  }

  private async drain(): Promise<void> {
    while (this.again) {
      this.again = false;
      try {
        for (let next = await this.take(); next; next = await this.take()) {
          await this.mailer.send(next);
          await this.messages.markMailed(next.id);
        }
      } catch (error) {
        this.logger.warn(`mail waits: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }

  private take() {
    return this.messages.takeUnsent(this.config.MAIL_RETRY_MS);
  }
}
