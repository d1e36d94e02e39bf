import { isRefusedValue, Worker } from '@stoa/platform';
import { count, withTaskSpan, metrics, observe } from '@stoa/telemetry';
import { Injectable } from '@nestjs/common';
import { ZodError } from 'zod';
import {
  adminResourceTypes,
  type Announcement,
  failedLogInOf,
  failureEventTypes,
  announcementsOfAdminEvent,
  announcementsOfUserEvent,
  ownerChangeOf,
  userEventTypes,
} from './account-changes.ts';
import {
  type EventPage,
  KeycloakClient,
  UnexpectedAnswer,
  type UnknownEvent,
} from '../keycloak/keycloak.client.ts';
import type { FailedLogIn } from '../notices/log-in-warnings.repository.ts';
import type { OwnerChange } from '../recovery/owner-changes.repository.ts';
import { RealmReadings, type Stream } from './realm-readings.repository.ts';

/** Milliseconds between two rounds: `busy` if there were events recently, else `resting`. */
const everyMs = { busy: 1000, resting: 5000 };
/** Milliseconds without an event after which the pause changes to `resting`. */
const restsAfterMs = 60_000;
const pageSize = 100;
// Events that a round may handle under one lease. Further events wait for the next round.
const mostPerRound = 500;

interface ReadEvent {
  readonly id: string;
  readonly time: number;
  readonly announcements: () => Promise<Announcement[]>;
  readonly change?: OwnerChange | undefined;
  readonly failure?: FailedLogIn | undefined;
}

/**
 * Polls Keycloak's events, because Keycloak cannot push them, and publishes the resulting events on NATS. One
 * replica at a time reads a stream.
 */
@Injectable()
export class RealmFollower extends Worker {
  #busyUntil = -Infinity;
  #unobserve: () => void = () => undefined;

  constructor(
    private readonly readings: RealmReadings,
    private readonly keycloak: KeycloakClient,
  ) {
    super({ everyMs: everyMs.resting, retryMs: everyMs.busy });
  }

  override onApplicationBootstrap(): void {
    super.onApplicationBootstrap();
    this.#unobserve = observe(metrics.realmAge, () => this.readings.age());
  }

  override async beforeApplicationShutdown(): Promise<void> {
    this.#unobserve();
    await super.beforeApplicationShutdown();
  }

  /** An unreadable stream must not delay the others, so its error is thrown after all streams are read. */
  protected async round(): Promise<number> {
    const leases = await this.readings.lease();
    const ended = await Promise.allSettled(leases.map(({ stream, from }) => this.#read(stream, from)));
    const read = leases.filter((_, index) => ended[index]?.status === 'fulfilled');
    await this.readings.release(read.map(({ stream }) => stream));
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
    return performance.now() < this.#busyUntil ? everyMs.busy : everyMs.resting;
  }

  async #read(stream: Stream, from: number): Promise<void> {
    let handled = 0;
    for (let first = 0; handled < mostPerRound; first += pageSize) {
      const events = await this.#events(stream, { from, first, max: pageSize });
      const last = events.at(-1);
      if (!last) return;
      const fresh = await this.readings.unknown(events.map(({ id }) => id));
      for (const event of events.filter(({ id }) => fresh.has(id))) {
        await withTaskSpan('follow realm', {}, () => this.#handle(stream, event)).catch((error: unknown) =>
          this.#setAside(stream, event, error),
        );
        handled += 1;
        this.#busyUntil = performance.now() + restsAfterMs;
      }
      await this.readings.advanceTo(stream, last.time);
      if (events.length < pageSize) return;
    }
  }

  async #handle(stream: Stream, event: ReadEvent): Promise<void> {
    const { id, time: at, announcements, change, failure } = event;
    await this.readings.handle(stream, { id, at, announcements: await announcements(), change, failure });
  }

  /**
   * Skips an event that no retry can handle, so that it does not block later ones, such as ended sessions.
   */
  async #setAside(stream: Stream, { id, time: at }: ReadEvent, error: unknown): Promise<void> {
    const isMalformed = error instanceof ZodError || error instanceof UnexpectedAnswer;
    if (!isRefusedValue(error) && !isMalformed) throw error;
    this.logger.error(error, `the realm's event ${id} cannot be announced and is set aside`);
    count(metrics.eventsDead, {
      'messaging.consumer.group.name': 'identity realm',
      'messaging.destination.name': 'realm',
    });
    await this.readings.handle(stream, { id, at, announcements: [] });
  }

  #events(stream: Stream, page: EventPage): Promise<ReadEvent[]> {
    if (stream === 'admin') return this.#adminEvents(page);
    return stream === 'user' ? this.#userEvents(page) : this.#failures(page);
  }

  async #userEvents(page: EventPage): Promise<ReadEvent[]> {
    const events = await this.keycloak.userEvents(userEventTypes, page);
    return events.map((event) =>
      isUnknown(event)
        ? unreadable(event)
        : {
            ...event,
            announcements: async () => announcementsOfUserEvent(event),
            change: ownerChangeOf(event),
          },
    );
  }

  async #failures(page: EventPage): Promise<ReadEvent[]> {
    const events = await this.keycloak.userEvents(failureEventTypes, page);
    return events.map((event) =>
      isUnknown(event)
        ? unreadable(event)
        : { ...event, announcements: async () => [], failure: failedLogInOf(event) },
    );
  }

  async #adminEvents(page: EventPage): Promise<ReadEvent[]> {
    const events = await this.keycloak.adminEvents(adminResourceTypes, page);
    const find = (uid: string) => this.keycloak.findUser(uid);
    return events.map((event) =>
      isUnknown(event)
        ? unreadable(event)
        : { ...event, announcements: () => announcementsOfAdminEvent(event, find) },
    );
  }
}

const isUnknown = (event: object): event is UnknownEvent => 'unknown' in event;

/** Fails only when it is handled, so that `#setAside` treats it like other faulty events. */
const unreadable = ({ id, time, unknown }: UnknownEvent): ReadEvent => ({
  id,
  time,
  announcements: () => Promise.reject(unknown),
});
