import { creators } from '@stoa/contracts';
import { Bus, RecentEvents, reservedUsernamesStream } from '@stoa/messaging';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { EdgeConfig } from './edge.config.ts';
import { ReservedUsernames, retentionMs } from './reserved-usernames.ts';

/** Knows which usernames are reserved, from the events of creators. */
@Injectable()
export class ReservedUsernamesFollower
  extends ReservedUsernames
  implements OnApplicationBootstrap, BeforeApplicationShutdown
{
  readonly #recent: RecentEvents<typeof creators.usernameReserved>;
  #wereKnown = false;

  constructor(bus: Bus, config: EdgeConfig) {
    super();
    this.#recent = new RecentEvents(bus.opened, {
      events: [creators.usernameReserved],
      service: config.NATS_USER,
      stream: reservedUsernamesStream,
      sinceMs: retentionMs,
      take: (reservation) => this.add(reservation),
    });
  }

  /** From the first time on that all were read. */
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
