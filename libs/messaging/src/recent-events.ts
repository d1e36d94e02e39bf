import type { Event, Facts } from '@stoa/contracts';
import { withConsumeSpan } from '@stoa/telemetry';
import { Logger } from '@nestjs/common';
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { setTimeout as pause } from 'node:timers/promises';
import { connectionStatus } from './connection-status.ts';
import type { Delivery } from './handles.decorator.ts';
import { eventStream, type Position, readStream, storedSubject } from './streams.ts';
import { fromHeaders } from './wire.ts';

export interface RecentEventsOptions<E extends Event> {
  readonly events: readonly E[];
  readonly service: string;
  /** The name of the stream to read; by default the stream of all events. */
  readonly stream?: string;
  /** Milliseconds of events that are read again, at the start and after every interruption. */
  readonly sinceMs: number;
  /** Receives events of the last `sinceMs` again after every interruption, so it must be idempotent. */
  readonly take: (facts: Facts<E>, delivery: Delivery) => Promise<void> | void;
}

/** The longest delay of an event whose notification was lost. */
const pollMs = 1000;
/** Pause between two reads in milliseconds; each read costs half a millisecond of CPU. */
const gapMs = 50;
const retryMs = 50;
const batch = 256;

/**
 * Follows events in memory: those of the last `sinceMs`, then new ones, and the last `sinceMs` again after every
 * interruption. Each process sees every event. It uses JetStream's Direct Get: the right to create consumers would
 * allow delivering any stored message to any subject.
 */
export class RecentEvents<E extends Event> {
  readonly #logger = new Logger(RecentEvents.name);
  readonly #connection: NatsConnection | Promise<NatsConnection>;
  readonly #options: RecentEventsOptions<E>;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #current = Promise.withResolvers<void>();
  #staleSince: number | undefined;
  #isFailureLogged = false;
  #isNotified = false;
  #endPause: () => void = () => undefined;

  /** @param connection May still be pending: until it opens, all events count as missed. */
  constructor(connection: NatsConnection | Promise<NatsConnection>, options: RecentEventsOptions<E>) {
    this.#connection = connection;
    this.#options = options;
  }

  start(): void {
    this.#staleSince = Date.now();
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#endPause();
    await this.#running;
  }

  /** Milliseconds since events may have been missed; 0 while new events are taken without delay. */
  get staleMs(): number {
    return this.#staleSince === undefined ? 0 : Date.now() - this.#staleSince;
  }

  /** Resolves to true when no event is missed, or to false after `timeoutMs` milliseconds. */
  async caughtUp(timeoutMs: number): Promise<boolean> {
    if (this.#staleSince === undefined) return true;
    const timer = new AbortController();
    const late = pause(timeoutMs, undefined, { signal: timer.signal }).catch(() => undefined);
    await Promise.race([this.#current.promise, late]);
    timer.abort();
    return this.#staleSince === undefined;
  }

  get #stopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      try {
        await this.#follow();
      } catch (error) {
        // Logs once per interruption: while NATS is away every try fails.
        if (!this.#stopped && !this.#isFailureLogged)
          this.#logger.warn(`following events failed, trying again: ${String(error)}`);
        this.#isFailureLogged = true;
      }
      this.#interrupt();
      await pause(retryMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
    }
  }

  async #follow(): Promise<void> {
    const { events, stream = eventStream, sinceMs } = this.#options;
    const [first, ...others] = events.map((event) => event.subject);
    const subject = first && others.length === 0 ? first : 'events.>';
    const connection = await this.#connection;
    const start: Position = { start_time: new Date(Date.now() - sinceMs).toISOString() };
    let last: Msg | undefined;
    const unsubscribe = this.#awaitNotices(connection, stream);
    try {
      while (!this.#stopped) {
        const readAt = performance.now();
        this.#isNotified = false;
        // Reads the last event again. If it differs, the stream was recreated and its sequence numbers mean nothing
        // here.
        const from = last ? { seq: placeOf(last) } : start;
        const messages = await connectionStatus(connection).unlessLost(() =>
          readStream(connection, stream, { from, subject, batch }),
        );
        const known = last && messages.shift();
        if (last && !(known && isSame(known, last))) throw new Error(`${stream} was recreated`);
        for (const message of messages) await this.#take(message);
        last = messages.at(-1) ?? last;
        if (messages.length >= batch - 1) continue;
        this.#catchUp();
        await this.#pause(readAt);
      }
    } finally {
      unsubscribe();
    }
  }

  /**
   * Ends a pause when one of the events is stored, or the connection is lost. @returns a function that undoes the
   * subscriptions.
   */
  #awaitNotices(connection: NatsConnection, stream: string): () => void {
    const notify = () => {
      this.#isNotified = true;
      this.#endPause();
    };
    const { changes } = connectionStatus(connection);
    changes.on('lost', notify);
    const subscriptions = this.#options.events.map(({ subject }) =>
      connection.subscribe(storedSubject(stream, subject), { callback: notify }),
    );
    return () => {
      changes.off('lost', notify);
      for (const subscription of subscriptions) subscription.unsubscribe();
    };
  }

  async #pause(readAt: number): Promise<void> {
    while (!this.#stopped) {
      const leftMs = readAt + (this.#isNotified ? gapMs : pollMs) - performance.now();
      if (leftMs <= 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#endPause = resolve;
      const timer = setTimeout(resolve, leftMs);
      await promise;
      clearTimeout(timer);
    }
  }

  async #take(message: Msg): Promise<void> {
    const { events, service: group, take } = this.#options;
    const subject = message.headers?.get('Nats-Subject') ?? '';
    const event = events.find((followed) => followed.subject === subject);
    if (!event) return;
    const id = message.headers?.get('Nats-Msg-Id') || `${eventStream}-${placeOf(message)}`;
    const work = async () => take(event.facts.parse(message.json()) as Facts<E>, { id, subject });
    // One unreadable event must not block the others.
    await withConsumeSpan({ subject, group, id }, fromHeaders(message.headers), work).catch(
      (error: unknown) => this.#logger.error(`${subject} ${id} cannot be taken: ${String(error)}`),
    );
  }

  #catchUp(): void {
    this.#staleSince = undefined;
    this.#isFailureLogged = false;
    this.#current.resolve();
  }

  /** Callers that already wait for `caughtUp` keep the same promise. */
  #interrupt(): void {
    if (this.#staleSince !== undefined) return;
    this.#staleSince = Date.now();
    this.#current = Promise.withResolvers();
  }
}

const placeOf = (message: Msg) => Number(message.headers?.get('Nats-Sequence'));

const isSame = (one: Msg, other: Msg) =>
  ['Nats-Sequence', 'Nats-Time-Stamp'].every((name) => one.headers?.get(name) === other.headers?.get(name));
