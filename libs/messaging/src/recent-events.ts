import type { Event, Facts } from '@stoa/contracts';
import { asConsumer } from '@stoa/telemetry';
import { Logger } from '@nestjs/common';
import {
  AckPolicy,
  type ConsumerMessages,
  DeliverPolicy,
  jetstream,
  jetstreamManager,
  type JsMsg,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { eventStream } from './event-consumer.ts';
import { fromHeaders } from './wire.ts';

export interface RecentEventsOptions<E extends Event> {
  readonly event: E;
  /** Name of the process, which its consumers begin with. */
  readonly service: string;
  /** How far back the events are read, at the start and after every gap. */
  readonly sinceMs: number;
  /** Takes what it is given more than once: a gap is read again. */
  readonly take: (facts: Facts<E>) => void;
}

// Two missed: a server that fell silent is noticed within three seconds.
const heartbeatMs = 1000;
const retryMs = 250;
const forgottenMs = 60_000;
const nanos = (ms: number) => ms * 1_000_000;

/**
 * Follows one kind of event in memory: everything of the last while, then what comes, and the while again after every
 * loss of sight. Each process sees every event.
 */
export class RecentEvents<E extends Event> {
  readonly #logger = new Logger(RecentEvents.name);
  readonly #connection: NatsConnection;
  readonly #options: RecentEventsOptions<E>;
  #messages: ConsumerMessages | undefined;
  #running: Promise<void> | undefined;
  #stopped = false;
  #current = Promise.withResolvers<void>();
  #blindSince: number | undefined;

  constructor(connection: NatsConnection, options: RecentEventsOptions<E>) {
    this.#connection = connection;
    this.#options = options;
  }

  start(): void {
    this.#blindSince = Date.now();
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#messages?.stop();
    await this.#running;
  }

  /** Milliseconds for which events may have been missed; 0 while all that is announced is taken at once. */
  get blindMs(): number {
    return this.#blindSince === undefined ? 0 : Date.now() - this.#blindSince;
  }

  /** Resolves when nothing is missed, at once or after at most `patienceMs`, and says whether it is so. */
  async caughtUp(patienceMs: number): Promise<boolean> {
    if (this.#blindSince === undefined) return true;
    const timer = new AbortController();
    const late = pause(patienceMs, undefined, { signal: timer.signal }).catch(() => undefined);
    await Promise.race([this.#current.promise, late]);
    timer.abort();
    return this.#blindSince === undefined;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      try {
        await this.#follow();
      } catch (error) {
        if (!this.#stopped) this.#logger.warn(`following events failed, trying again: ${String(error)}`);
      }
      this.#loseSight();
      if (!this.#stopped) await pause(retryMs);
    }
  }

  async #follow(): Promise<void> {
    const { event, service, sinceMs } = this.#options;
    const name = `${service}-${randomUUID()}`;
    const manager = await jetstreamManager(this.#connection, { checkAPI: false, timeout: 2000 });
    let { num_pending: left } = await manager.consumers.add(eventStream, {
      name,
      filter_subject: event.subject,
      ack_policy: AckPolicy.None,
      deliver_policy: DeliverPolicy.StartTime,
      opt_start_time: new Date(Date.now() - sinceMs).toISOString(),
      mem_storage: true,
      inactive_threshold: nanos(forgottenMs),
    });
    const consumer = await jetstream(this.#connection).consumers.get(eventStream, name);
    const messages = await consumer.consume({
      max_messages: 256,
      expires: 10 * heartbeatMs,
      idle_heartbeat: heartbeatMs,
      abort_on_missing_resource: true,
    });
    this.#messages = messages;
    if (this.#stopped) messages.stop();
    void this.#watch(messages);
    if (left === 0) this.#seeAll();
    for await (const message of messages) {
      await this.#take(message);
      left -= 1;
      if (left === 0) this.#seeAll();
      if (this.#stopped) return;
    }
  }

  async #watch(messages: ConsumerMessages): Promise<void> {
    for await (const { type } of messages.status()) {
      if (type === 'heartbeats_missed') messages.stop();
    }
  }

  async #take(message: JsMsg): Promise<void> {
    const { event, service: group, take } = this.#options;
    const id = message.headers?.get('Nats-Msg-Id') || `${eventStream}-${message.seq}`;
    const work = async () => take(event.facts.parse(message.json()) as Facts<E>);
    // One event that cannot be read must not keep the others away.
    await asConsumer({ subject: message.subject, group, id }, fromHeaders(message.headers), work).catch(
      (error: unknown) => this.#logger.error(`${message.subject} ${id} cannot be taken: ${String(error)}`),
    );
  }

  #seeAll(): void {
    this.#blindSince = undefined;
    this.#current.resolve();
  }

  #loseSight(): void {
    this.#blindSince ??= Date.now();
    this.#current = Promise.withResolvers();
  }
}
