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
  #wereKnown = false;

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

  /** From the first time on that all were read. Those that come while NATS is away are heard of when it is back. */
  override get areKnown(): boolean {
    this.#wereKnown ||= this.#recent.staleMs === 0;
    return this.#wereKnown;
  }

  onApplicationBootstrap(): void {
    this.#recent.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.#recent.stop();
  }
}
