import type { Event, Facts } from '@stoa/contracts';
import { withConsumeSpan } from '@stoa/telemetry';
import { Logger } from '@nestjs/common';
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { setTimeout as pause } from 'node:timers/promises';
import { connectionStatus } from './connection-status.ts';
import type { Delivery } from './handles.decorator.ts';
import { eventStream, type Position, readStream } from './streams.ts';
import { fromHeaders } from './wire.ts';

export interface RecentEventsOptions<E extends Event> {
  readonly events: readonly E[];
  /** Name of the process, in traces and metrics. */
  readonly service: string;
  /** The stream to read; all events unless told. */
  readonly stream?: string;
  /** How far back the events are read, at the start and after every loss of sight. */
  readonly sinceMs: number;
  /** Takes what it is given more than once: the while is read again. */
  readonly take: (facts: Facts<E>, delivery: Delivery) => Promise<void> | void;
}

/** How late an event may come; an answer of the server costs less than a millisecond. */
const pollMs = 50;
const batch = 256;

/**
 * Follows events in memory: everything of the last while, then what comes, and the while again after every loss of
 * sight. Each process sees every event. It reads by place instead of through a consumer: who may make a consumer can
 * have the server send what it keeps wherever it likes.
 */
export class RecentEvents<E extends Event> {
  readonly #logger = new Logger(RecentEvents.name);
  readonly #connection: NatsConnection | Promise<NatsConnection>;
  readonly #options: RecentEventsOptions<E>;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #current = Promise.withResolvers<void>();
  #blindSince: number | undefined;
  #isFailureTold = false;

  /** @param connection May still be on its way: until it is there, everything is missed. */
  constructor(connection: NatsConnection | Promise<NatsConnection>, options: RecentEventsOptions<E>) {
    this.#connection = connection;
    this.#options = options;
  }

  start(): void {
    this.#blindSince = Date.now();
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  /** Milliseconds for which events may have been missed; 0 while all that is announced is taken at once. */
  get staleMs(): number {
    return this.#blindSince === undefined ? 0 : Date.now() - this.#blindSince;
  }

  /** Resolves when nothing is missed, at once or after at most `timeoutMs`, and says whether it is so. */
  async caughtUp(timeoutMs: number): Promise<boolean> {
    if (this.#blindSince === undefined) return true;
    const timer = new AbortController();
    const late = pause(timeoutMs, undefined, { signal: timer.signal }).catch(() => undefined);
    await Promise.race([this.#current.promise, late]);
    timer.abort();
    return this.#blindSince === undefined;
  }

  get #stopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      try {
        await this.#follow();
      } catch (error) {
        // Once for each loss of sight: while NATS is away every try fails at once.
        if (!this.#stopped && !this.#isFailureTold)
          this.#logger.warn(`following events failed, trying again: ${String(error)}`);
        this.#isFailureTold = true;
      }
      this.#loseSight();
      await this.#pause();
    }
  }

  async #follow(): Promise<void> {
    const { events, stream = eventStream, sinceMs } = this.#options;
    const [first, ...others] = events.map((event) => event.subject);
    const subject = first && others.length === 0 ? first : 'events.>';
    const connection = await this.#connection;
    const start: Position = { start_time: new Date(Date.now() - sinceMs).toISOString() };
    let last: Msg | undefined;
    while (!this.#stopped) {
      // The last one again: where it is not, the stream was made anew and its places mean nothing here.
      const from = last ? { seq: placeOf(last) } : start;
      const messages = await connectionStatus(connection).unlessLost(() =>
        readStream(connection, stream, { from, subject, batch }),
      );
      const known = last && messages.shift();
      if (last && !(known && isSame(known, last))) throw new Error(`${stream} is not the one read before`);
      for (const message of messages) await this.#take(message);
      last = messages.at(-1) ?? last;
      if (messages.length >= batch - 1) continue;
      this.#seeAll();
      await this.#pause();
    }
  }

  /** Ends early when this does. */
  async #pause(): Promise<void> {
    await pause(pollMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }

  async #take(message: Msg): Promise<void> {
    const { events, service: group, take } = this.#options;
    const subject = message.headers?.get('Nats-Subject') ?? '';
    const event = events.find((followed) => followed.subject === subject);
    if (!event) return;
    const id = message.headers?.get('Nats-Msg-Id') || `${eventStream}-${placeOf(message)}`;
    const work = async () => take(event.facts.parse(message.json()) as Facts<E>, { id, subject });
    // One event that cannot be read must not keep the others away.
    await withConsumeSpan({ subject, group, id }, fromHeaders(message.headers), work).catch(
      (error: unknown) => this.#logger.error(`${subject} ${id} cannot be taken: ${String(error)}`),
    );
  }

  #seeAll(): void {
    this.#blindSince = undefined;
    this.#isFailureTold = false;
    this.#current.resolve();
  }

  /** Who waits already goes on waiting for the same. */
  #loseSight(): void {
    if (this.#blindSince !== undefined) return;
    this.#blindSince = Date.now();
    this.#current = Promise.withResolvers();
  }
}

const placeOf = (message: Msg) => Number(message.headers?.get('Nats-Sequence'));

const isSame = (one: Msg, other: Msg) =>
  ['Nats-Sequence', 'Nats-Time-Stamp'].every((name) => one.headers?.get(name) === other.headers?.get(name));
