import { asTask } from '@stoa/telemetry';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { MediaConfig } from './media.config.ts';
import { MediaService } from './media.service.ts';

@Injectable()
export class MediaSweeper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(MediaSweeper.name);
  private readonly stopped = new AbortController();
  private running: Promise<void> | undefined;

  constructor(
    private readonly service: MediaService,
    private readonly config: MediaConfig,
  ) {}

  onApplicationBootstrap(): void {
    this.running = this.run(this.stopped.signal);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped.abort();
    await this.running;
  }

  // The first pause leaves time for events that came while this service was down: they may attach a picture
  // that looks old and unused.
  private async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await pause(this.config.SWEEP_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      await asTask('sweep', {}, () => this.sweep());
    }
  }

  private async sweep(): Promise<void> {
    await this.service.sweep().catch((error: unknown) => {
      this.logger.warn(`sweeping failed, trying again later: ${String(error)}`);
    });
  }
}
