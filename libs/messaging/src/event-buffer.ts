import type { Event, Facts } from '@stoa/contracts';
import { count, metrics, observeTogether, traceHeaders } from '@stoa/telemetry';
import { Logger } from '@nestjs/common';
import type { NatsConnection } from '@nats-io/transport-node';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { EventPublisher, type StoredEvent } from './event-publisher.ts';

export interface EventBufferOptions<E extends Event, Item> {
  readonly event: E;
  /** Builds the facts of one event from a batch of items. */
  readonly facts: (items: readonly Item[]) => Facts<E>;
  /** Items per event. */
  readonly batch: number;
  /** Items kept while the stream is away; beyond it the oldest are dropped. */
  readonly capacity: number;
  /**
   * Milliseconds after which `add` resolves to false: the item is kept in memory, but the stream has not
   * stored it yet.
   */
  readonly patienceMs: number;
}

interface Waiting<Item> {
  readonly item: Item;
  readonly headers: Record<string, string>;
  readonly stored: () => void;
  readonly since: number;
}

/** The stream syncs each event to disk separately, so items of this period share one event. */
const gatherMs = 10;
const retryMs = 1000;
const flushMs = 3000;

/** Publishes events of a process without a database, with an outbox in memory: bounded, and lost with the process. */
export class EventBuffer<E extends Event, Item> {
  readonly #logger = new Logger(EventBuffer.name);
  readonly #connection: Promise<NatsConnection>;
  readonly #options: EventBufferOptions<E, Item>;
  readonly #stopping = new AbortController();
  #waiting: Waiting<Item>[] = [];
  #inFlight: readonly Waiting<Item>[] = [];
  readonly #unobserve: () => void;
  #isAway = false;
  #running: Promise<void> | undefined;

  /** @param connection May still be pending: until it opens, items are kept. */
  constructor(connection: Promise<NatsConnection>, options: EventBufferOptions<E, Item>) {
    this.#connection = connection;
    this.#options = options;
    this.#unobserve = observeTogether(
      { eventsKept: metrics.eventsKept, eventsKeptAge: metrics.eventsKeptAge },
      async () => ({ eventsKept: this.kept.items, eventsKeptAge: this.kept.ageSeconds }),
      { 'messaging.destination.name': options.event.subject },
    );
  }

  /** How many items are not on the stream yet, and for how long the oldest one has been waiting. */
  get kept(): { items: number; ageSeconds: number } {
    const oldest = this.#inFlight[0] ?? this.#waiting[0];
    return {
      items: this.#inFlight.length + this.#waiting.length,
      ageSeconds: oldest ? (performance.now() - oldest.since) / 1000 : 0,
    };
  }

  /** Resolves to true once the item is on the stream, to false while it is kept in memory. */
  async add(item: Item): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#waiting.push({
      item,
      headers: traceHeaders(),
      stored: () => resolve(true),
      since: performance.now(),
    });
    while (this.#waiting.length > this.#options.capacity) {
      this.#waiting.shift();
      count(metrics.eventsDropped, { 'messaging.destination.name': this.#options.event.subject });
    }
    // Fails only if the process stops before NATS is reachable.
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

  /** Tries to publish the kept items once more. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#unobserve();
    await Promise.race([this.#running, pause(flushMs, undefined, { ref: false })]);
  }

  async #run(): Promise<void> {
    const publisher = new EventPublisher(await this.#connection);
    while (this.#waiting.length > 0) {
      await this.#pause(gatherMs);
      this.#inFlight = this.#waiting.splice(0, this.#options.batch);
      if (!(await this.#publish(publisher, this.#inFlight))) return;
      this.#inFlight = [];
    }
  }

  /** Publishes the same event until the stream confirms it, so that a lost confirmation causes no duplicate. */
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
        for (const { stored: resolve } of batch) resolve();
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
