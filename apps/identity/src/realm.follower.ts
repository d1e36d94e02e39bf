import { isRefusedValue, Rounds } from '@stoa/platform';
import { count, withTaskSpan, metrics, observe } from '@stoa/telemetry';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { ZodError } from 'zod';
import {
  adminResourceTypes,
  type Announcement,
  type FailedLogIn,
  failedLogInIn,
  failureEventTypes,
  fromAdminEvent,
  fromUserEvent,
  type OwnerChange,
  ownerChangeIn,
  userEventTypes,
} from './account-changes.ts';
import { ChangeMailer } from './change-mailer.ts';
import { IdentityRepository } from './identity.repository.ts';
import { type EventPage, KeycloakClient } from './keycloak.client.ts';
import { LogInWarningMailer } from './log-in-warning-mailer.ts';
import type { RealmRound, Stream } from './realm-readings.repository.ts';

const everyMs = 1000;
const pageSize = 100;
// Bounds what one replica does under one lease; a longer backlog takes several rounds.
const mostPerRound = 500;

interface Read {
  readonly id: string;
  readonly time: number;
  readonly announcements: () => Promise<Announcement[]>;
  readonly change?: OwnerChange | undefined;
  readonly failure?: FailedLogIn | undefined;
}

/**
 * Follows the realm: about once a second what Keycloak recorded is read and announced, so that an ended session, a
 * disabled or a deleted account is known within seconds to those who never ask Keycloak. Any number of replicas may
 * run; each round is done by one.
 */
@Injectable()
export class RealmFollower implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #logger = new Logger(RealmFollower.name);
  readonly #rounds = new Rounds(RealmFollower.name, { everyMs });
  #failing = false;
  #unobserve: () => void = () => undefined;

  constructor(
    private readonly accounts: IdentityRepository,
    private readonly keycloak: KeycloakClient,
    private readonly mails: ChangeMailer,
    private readonly warnings: LogInWarningMailer,
  ) {}

  onApplicationBootstrap(): void {
    this.#rounds.start();
    void this.#run();
    this.#unobserve = observe(metrics.realmAge, () => this.accounts.realmReadings.age());
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#unobserve();
    await this.#rounds.stop();
  }

  async #run(): Promise<void> {
    const { stopping } = this.#rounds;
    while (!stopping.aborted) {
      try {
        await this.#rounds.run(() => this.#read());
        if (this.#failing) this.#logger.log('following the realm again');
        this.#failing = false;
      } catch (error) {
        // Once, not at every second of an outage.
        if (!this.#failing) this.#logger.warn(`following the realm failed, trying again: ${String(error)}`);
        this.#failing = true;
      }
      await pause(everyMs, undefined, { signal: stopping }).catch(() => undefined);
    }
  }

  async #read(): Promise<void> {
    await this.#round('user', (page) => this.#userEvents(page));
    this.mails.wake();
    await this.#round('admin', (page) => this.#adminEvents(page));
    await this.#round('failure', (page) => this.#failures(page));
    this.warnings.wake();
  }

  async #round(stream: Stream, read: (page: EventPage) => Promise<Read[]>): Promise<void> {
    await this.accounts.realmReadings.read(stream, async ({ from, isNew, handle, readTo }) => {
      let handled = 0;
      for (let first = 0; handled < mostPerRound; first += pageSize) {
        const events = await read({ from, first, max: pageSize });
        const fresh = await isNew(events.map(({ id }) => id));
        for (const event of events.filter(({ id }) => fresh.has(id))) {
          await withTaskSpan('follow realm', {}, () => this.#take(event, handle)).catch((error: unknown) =>
            this.#setAside(event, handle, error),
          );
          handled += 1;
        }
        const last = events.at(-1);
        if (last) await readTo(last.time);
        if (events.length < pageSize) return;
      }
    });
  }

  async #take(event: Read, handle: RealmRound['handle']): Promise<void> {
    const { id, time: at, announcements, change, failure } = event;
    await handle({ id, at, announcements: await announcements(), change, failure });
  }

  /** One event that can never be announced must not keep all later ones, such as ended sessions, from being known. */
  async #setAside({ id, time: at }: Read, handle: RealmRound['handle'], error: unknown): Promise<void> {
    if (!isRefusedValue(error) && !(error instanceof ZodError)) throw error;
    this.#logger.error(error, `the realm's event ${id} cannot be announced and is set aside`);
    count(metrics.eventsDead, {
      'messaging.consumer.group.name': 'identity realm',
      'messaging.destination.name': 'realm',
    });
    await handle({ id, at, announcements: [] });
  }

  async #userEvents(page: EventPage): Promise<Read[]> {
    const events = await this.keycloak.userEvents(userEventTypes, page);
    return events.map((event) => ({
      ...event,
      announcements: async () => fromUserEvent(event),
      change: ownerChangeIn(event),
    }));
  }

  async #failures(page: EventPage): Promise<Read[]> {
    const events = await this.keycloak.userEvents(failureEventTypes, page);
    return events.map((event) => ({
      ...event,
      announcements: async () => [],
      failure: failedLogInIn(event),
    }));
  }

  async #adminEvents(page: EventPage): Promise<Read[]> {
    const events = await this.keycloak.adminEvents(adminResourceTypes, page);
    const find = (uid: string) => this.keycloak.findUser(uid);
    return events.map((event) => ({ ...event, announcements: () => fromAdminEvent(event, find) }));
  }
}
