import { identity } from '@stoa/contracts';
import { Bus, passwordChangesStream, RecentEvents } from '@stoa/messaging';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { EdgeConfig } from './edge.config.ts';
import { PasswordChanges, retentionMs } from './password-changes.ts';

/** Knows whose password was changed while a link could still be on its way, from the events of identity. */
@Injectable()
export class PasswordChangesFollower
  extends PasswordChanges
  implements OnApplicationBootstrap, BeforeApplicationShutdown
{
  readonly #recent: RecentEvents<typeof identity.passwordChanged>;

  constructor(bus: Bus, config: EdgeConfig) {
    super();
    this.#recent = new RecentEvents(bus.opened, {
      events: [identity.passwordChanged],
      service: config.NATS_USER,
      stream: passwordChangesStream,
      sinceMs: retentionMs,
      take: (change) => this.add(change),
    });
  }

  onApplicationBootstrap(): void {
    this.#recent.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.#recent.stop();
  }
}
