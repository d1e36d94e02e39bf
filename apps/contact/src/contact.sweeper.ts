import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { ContactConfig } from './contact.config.ts';
import { ContactService } from './contact.service.ts';

/** Forgets in time: where messages came from, and what was only passed on. */
@Injectable()
export class ContactSweeper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(ContactSweeper.name);
  private readonly stopped = new AbortController();
  private running: Promise<void> | undefined;

  constructor(
    private readonly service: ContactService,
    private readonly config: ContactConfig,
  ) {}

  onApplicationBootstrap(): void {
    this.running = this.run(this.stopped.signal);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped.abort();
    await this.running;
  }

  private async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.service.sweep().catch((error: unknown) => {
        this.logger.warn(`sweeping failed, trying again later: ${String(error)}`);
      });
      await pause(this.config.SWEEP_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}
