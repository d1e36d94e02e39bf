import { Bus } from '@stoa/messaging';
import { type HeldRequest, RateLimiter, shareLimits } from '@stoa/platform';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { EdgeConfig } from './edge.config.ts';

/** Longer than a form can be posted, which is ten minutes. */
const rememberedMs = 30 * 60_000;

/**
 * Upload forms whose file the store has taken: a form is good for one file. The replicas share them as they share their
 * limits; what a restart forgets, the sweeper of media removes.
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

  /** Holds a form while its file is sent: it is used once the store has taken that, and free again otherwise. */
  hold(key: string): HeldRequest {
    return this.#limiter.hold('forms', key);
  }
}
