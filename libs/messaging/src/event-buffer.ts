import type { Event, Facts } from '@stoa/contracts';
import { count, metrics, observeTogether, traceHeaders } from '@stoa/telemetry';
import { Logger } from '@nestjs/common';
import type { NatsConnection } from '@nats-io/transport-node';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { EventPublisher, type StoredEvent } from './event-publisher.ts';

export interface EventBufferOptions<E extends Event, Item> {
  readonly event: E;
  /** What one event says of the items that are gathered in it. */
  readonly facts: (items: readonly Item[]) => Facts<E>;
  /** Items in one event. */
  readonly batch: number;
  /** Items that are kept while the stream is away; of more the oldest are dropped. */
  readonly most: number;
  /** After this long it is said that an item is kept, rather than stored. */
  readonly patienceMs: number;
}

interface Waiting<Item> {
  readonly item: Item;
  readonly headers: Record<string, string>;
  readonly stored: () => void;
  /** Milliseconds of the process's own clock. */
  readonly since: number;
}

/** Each event is synced to disk by itself: what comes within this time shares one. */
const gatherMs = 10;
const retryMs = 1000;
/** At the end of the process. */
const flushMs = 3000;

/**
 * Announces what there is no database for, with an outbox in memory: bounded, and lost with the process. Each item
 * waits for none of the others' failures but those of the stream.
 */
export class EventBuffer<E extends Event, Item> {
  readonly #logger = new Logger(EventBuffer.name);
  readonly #connection: Promise<NatsConnection>;
  readonly #options: EventBufferOptions<E, Item>;
  readonly #stopping = new AbortController();
  #waiting: Waiting<Item>[] = [];
  /** What the event that is being published says. */
  #inHand: readonly Waiting<Item>[] = [];
  readonly #unobserve: () => void;
  #isAway = false;
  #running: Promise<void> | undefined;

  /** @param connection May still be on its way: until it is there, items are kept. */
  constructor(connection: Promise<NatsConnection>, options: EventBufferOptions<E, Item>) {
    this.#connection = connection;
    this.#options = options;
    this.#unobserve = observeTogether(
      { eventsKept: metrics.eventsKept, eventsKeptAge: metrics.eventsKeptAge },
      async () => ({ eventsKept: this.kept.items, eventsKeptAge: this.kept.ageSeconds }),
      { 'messaging.destination.name': options.event.subject },
    );
  }

  /** How many items are not on the stream yet, and for how long the oldest of them has been here. */
  get kept(): { items: number; ageSeconds: number } {
    const oldest = this.#inHand[0] ?? this.#waiting[0];
    return {
      items: this.#inHand.length + this.#waiting.length,
      ageSeconds: oldest ? (performance.now() - oldest.since) / 1000 : 0,
    };
  }

  /** Whether the item is on the stream by now; otherwise it is kept in memory until it can be. */
  async add(item: Item): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#waiting.push({
      item,
      headers: traceHeaders(),
      stored: () => resolve(true),
      since: performance.now(),
    });
    while (this.#waiting.length > this.#options.most) {
      this.#waiting.shift();
      count(metrics.eventsDropped, { 'messaging.destination.name': this.#options.event.subject });
    }
    // Fails only where the process stops before NATS was there.
    this.#running ??= this.#run()
      .catch(() => undefined)
      .finally(() => (this.#running = undefined));
    if (this.#isAway) return false;
    const timer = setTimeout(() => {
      this.#isAway = true;
      resolve(false);
    }, this.#options.patienceMs);
    return promise.finally(() => clearTimeout(timer));
  }

  /** Gives what is kept a last try. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#unobserve();
    await Promise.race([this.#running, pause(flushMs, undefined, { ref: false })]);
  }

  async #run(): Promise<void> {
    const publisher = new EventPublisher(await this.#connection);
    while (this.#waiting.length > 0) {
      await this.#pause(gatherMs);
      this.#inHand = this.#waiting.splice(0, this.#options.batch);
      if (!(await this.#publish(publisher, this.#inHand))) return;
      this.#inHand = [];
    }
  }

  /** The same event until the stream has it, so that what it said before the answer was lost is not said twice. */
  async #publish(publisher: EventPublisher, batch: readonly Waiting<Item>[]): Promise<boolean> {
    const { event, facts } = this.#options;
    const stored: StoredEvent = {
      id: randomUUID(),
      subject: event.subject,
      payload: JSON.stringify(facts(batch.map(({ item }) => item))),
      headers: batch[0]?.headers ?? {},
    };
    for (let attempt = 1; ; attempt += 1) {
      try {
        await publisher.publish(stored);
        this.#isAway = false;
        for (const { stored: tell } of batch) tell();
        return true;
      } catch (error) {
        if (attempt === 1) this.#logger.warn(`${event.subject} is kept for later: ${String(error)}`);
        this.#isAway = true;
        if (this.#stopping.signal.aborted) return false;
        await this.#pause(retryMs);
      }
    }
  }

  async #pause(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }
}
