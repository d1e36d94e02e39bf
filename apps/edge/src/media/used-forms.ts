import { Bus } from '@stoa/messaging';
import { type HeldRequest, RateLimiter, shareLimits } from '@stoa/platform';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { EdgeConfig } from '../edge.config.ts';

/** Milliseconds for which a used form is remembered: longer than it is valid, which is ten minutes. */
const rememberedMs = 30 * 60_000;

/**
 * Remembers upload forms whose file the store has accepted, because each form is valid for one file. Replicas share this
 * knowledge. After a restart a form may be used again; the media service then removes the second file.
 */
@Injectable()
export class UsedForms implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #bus: Bus;
  readonly #limiter: RateLimiter<'forms'>;
  #stopSharing: () => void = () => undefined;

  constructor(config: EdgeConfig, bus: Bus) {
    this.#bus = bus;
    this.#limiter = new RateLimiter(
      { forms: { limit: 1, periodMs: rememberedMs } },
      { secret: config.DEVICE_KEY },
    );
  }

  onApplicationBootstrap(): void {
    this.#stopSharing = shareLimits(this.#limiter, this.#bus, 'edge');
  }

  beforeApplicationShutdown(): void {
    this.#stopSharing();
  }

  /** Reserves a form while its file is uploaded. `count` marks it as used, `release` makes it available again. */
  hold(key: string): HeldRequest {
    return this.#limiter.hold('forms', key);
  }
}
