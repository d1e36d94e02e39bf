import { identity } from '@stoa/contracts';
import { Bus, passwordChangesStream, RecentEvents } from '@stoa/messaging';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { EdgeConfig } from '../edge.config.ts';
import { PasswordChanges, retentionMs } from './password-changes.ts';

/** Reads identity's events about changed passwords from NATS, because such a change revokes the links in earlier mails. */
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

  /** Stays true after the first complete read. If NATS is down later, the missed events arrive when it is back. */
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
