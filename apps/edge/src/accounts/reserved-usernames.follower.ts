import { creators } from '@stoa/contracts';
import { Bus, RecentEvents, reservedUsernamesStream } from '@stoa/messaging';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { EdgeConfig } from '../edge.config.ts';
import { ReservedUsernames, retentionMs } from './reserved-usernames.ts';

/** Reads the events of the creators service about reserved usernames from NATS. */
@Injectable()
export class ReservedUsernamesFollower
  extends ReservedUsernames
  implements OnApplicationBootstrap, BeforeApplicationShutdown
{
  readonly #recent: RecentEvents<typeof creators.usernameReserved>;
  #wasCaughtUp = false;

  constructor(bus: Bus, config: EdgeConfig) {
    super();
    this.#recent = new RecentEvents(bus.opened, {
      events: [creators.usernameReserved],
      service: config.SERVICE_NAME,
      stream: reservedUsernamesStream,
      sinceMs: retentionMs,
      take: (reservation) => this.add(reservation),
    });
  }

  /** Stays true after the first complete read. */
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
