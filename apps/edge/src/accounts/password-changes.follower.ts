import { identity } from '@stoa/contracts';
import { Bus, passwordChangesStream, RecentEvents } from '@stoa/messaging';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { EdgeConfig } from '../edge.config.ts';
import { PasswordChanges, retentionMs } from './password-changes.ts';

/** Follows identity's events to know whose password changed while a mailed link could still be unopened. */
@Injectable()
export class PasswordChangesFollower
  extends PasswordChanges
  implements OnApplicationBootstrap, BeforeApplicationShutdown
{
  readonly #recent: RecentEvents<typeof identity.passwordChanged>;
  #wasCaughtUp = false;

  constructor(bus: Bus, config: EdgeConfig) {
    super();
    this.#recent = new RecentEvents(bus.opened, {
      events: [identity.passwordChanged],
      service: config.SERVICE_NAME,
      stream: passwordChangesStream,
      sinceMs: retentionMs,
      take: (change) => this.add(change),
    });
  }

  /** Stays true after the first complete read. Events of a NATS outage arrive when NATS is back. */
  override get isCaughtUp(): boolean {
    this.#wasCaughtUp ||= this.#recent.staleMs === 0;
    return this.#wasCaughtUp;
  }

  onApplicationBootstrap(): void {
    this.#recent.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.#recent.stop();
  }
}
