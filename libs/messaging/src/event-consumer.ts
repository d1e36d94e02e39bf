import { consumerMetadata, type Event, type Stream } from '@stoa/contracts';
import { withConsumeSpan, count, metrics, observeTogether } from '@stoa/telemetry';
import { Logger } from '@nestjs/common';
import {
  type ConsumerMessages,
  type JetStreamClient,
  jetstream,
  jetstreamManager,
  type JsMsg,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import pLimit from 'p-limit';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { flushBus } from './connection.ts';
import type { Delivery } from './handles.decorator.ts';
import { streamsApi } from './streams.ts';
import { fromHeaders } from './wire.ts';

const OfAnAccount = z.object({ creatorId: z.string().optional(), uid: z.string().optional() });

export interface EventHandler {
  readonly event: Event;
  readonly handle: (facts: never, delivery: Delivery) => Promise<void>;
}

export interface EventConsumerOptions {
  /** Name of the service; the consumer that set-up made for it carries it. */
  readonly service: string;
  /** Of the events that are handled. */
  readonly stream: Stream;
  /** Deliveries after which a failing event becomes a dead letter. */
  readonly maxAttempts: number;
  /** How long one may be handled before it counts as failed; a minute unless told. */
  readonly handledWithinMs?: number;
}

const retryDelaysMs = [1, 2, 5, 15, 30, 60, 120, 300].map((seconds) => seconds * 1000);
/** Events handled at once, so that one that takes long holds up nothing but its own account. */
const handledAtOnce = 8;
/** Longer than anything that a handler waits for: of those that hang, eight would stop every event of the service. */
const handledWithinMs = 60_000;
/** Events in hand, with those that wait for one of their account: as many as are fetched at once. */
const inHandAtOnce = 64;
/** A third of the time after which the server gives an event to another: `ack_wait` of the consumers. */
const workingMs = 5000;

/**
 * Follows events of other services: one consumer for all replicas, each event handled by one of them, none lost. Which
 * events come is decided where the consumers are made, by deploy/nats/consumers.json.
 */
export class EventConsumer {
  readonly #logger = new Logger(EventConsumer.name);
  readonly #client: JetStreamClient;
  readonly #connection: NatsConnection;
  readonly #options: EventConsumerOptions;
  readonly #handlers: Map<string, EventHandler>;
  #messages: ConsumerMessages | undefined;
  #running: Promise<void> | undefined;
  readonly #inHand = new Set<Promise<void>>();
  readonly #limit = pLimit(handledAtOnce);
  /** The last event in hand of each account. */
  readonly #turns = new Map<string, Promise<void>>();
  #unobserve: () => void = () => undefined;
  #stopped = false;

  constructor(connection: NatsConnection, handlers: EventHandler[], options: EventConsumerOptions) {
    this.#connection = connection;
    this.#client = jetstream(connection, streamsApi);
    this.#options = options;
    this.#handlers = handlersBySubject(handlers);
  }

  /** What it is called where it is measured. */
  get #group(): string {
    const { service, stream } = this.#options;
    return stream === 'EVENTS' ? service : `${service} ${stream.toLowerCase()}`;
  }

  start(): void {
    if (this.#handlers.size === 0) return;
    this.#running = this.#run();
    this.#observeLag();
  }

  /** Takes no more events and waits for those in hand. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#unobserve();
    this.#messages?.stop();
    await this.#running;
    await Promise.all(this.#inHand);
    // The server must know before we are gone, or it delivers the next event to no consumer and waits out the ack.
    await flushBus(this.#connection);
  }

  // The outer loop outlives a broker that is down, and a stream or consumer not there yet.
  async #run(): Promise<void> {
    while (!this.#stopped) {
      try {
        const consumer = await this.#client.consumers.get(this.#options.stream, this.#options.service);
        // Without this a consumer that is gone is asked for events in silence, for ever.
        this.#messages = await consumer.consume({ max_messages: 64, abort_on_missing_resource: true });
        if (this.#stopped) this.#messages.stop();
        for await (const message of this.#messages) {
          this.#begin(message);
          if (this.#inHand.size >= inHandAtOnce) await Promise.race(this.#inHand);
          if (this.#stopped) break;
        }
      } catch (error) {
        if (this.#stopped) return;
        this.#logger.warn(`following events failed, trying again: ${String(error)}`);
      }
      if (!this.#stopped) await pause(500);
    }
  }

  // Every replica tells of the one consumer that they share; take the largest, not the sum.
  #observeLag(): void {
    const { service: name, stream } = this.#options;
    const labels = { 'messaging.consumer.group.name': this.#group };
    const gauges = { pending: metrics.eventsPending, unacknowledged: metrics.eventsUnacknowledged };
    const read = async () => {
      const manager = await jetstreamManager(this.#connection, {
        ...streamsApi,
        checkAPI: false,
        timeout: 2000,
      });
      const info = await manager.consumers.info(stream, name);
      return { pending: info.num_pending, unacknowledged: info.num_ack_pending };
    };
    this.#unobserve = observeTogether(gauges, read, labels);
  }

  #begin(message: JsMsg): void {
    const account = accountOf(message);
    const before = this.#turns.get(account);
    const work: Promise<void> = this.#takeAfter(before, message).finally(() => {
      this.#inHand.delete(work);
      if (this.#turns.get(account) === work) this.#turns.delete(account);
    });
    this.#inHand.add(work);
    this.#turns.set(account, work);
  }

  /** Events of one account are handled in their order, those of others beside them. */
  async #takeAfter(before: Promise<void> | undefined, message: JsMsg): Promise<void> {
    const working = setInterval(() => message.working(), workingMs);
    try {
      await before;
      await this.#limit(() => this.#take(message));
    } finally {
      clearInterval(working);
    }
  }

  async #take(message: JsMsg): Promise<void> {
    const handler = this.#handlers.get(message.subject);
    const id = message.headers?.get('Nats-Msg-Id') || `${this.#options.stream}-${message.seq}`;
    if (!handler) return this.#putBack(message, id);
    const group = this.#group;
    try {
      await withConsumeSpan({ subject: message.subject, group, id }, fromHeaders(message.headers), () =>
        this.#handle(handler, message, id),
      );
    } catch {
      // Logged and answered within its trace.
    }
  }

  async #handle({ event, handle }: EventHandler, message: JsMsg, id: string): Promise<void> {
    const facts = event.facts.safeParse(parsed(message));
    if (!facts.success) {
      await this.#bury(message, id, facts.error.message);
      throw facts.error;
    }
    try {
      const handled = handle(facts.data as never, { id, subject: message.subject });
      await within(this.#options.handledWithinMs ?? handledWithinMs, handled);
    } catch (error) {
      await this.#failed(message, id, error);
      throw error;
    }
    message.ack();
  }

  // While a release is rolled out, replicas of the one before are given what only the new ones handle.
  async #putBack(message: JsMsg, id: string): Promise<void> {
    const attempts = message.info.deliveryCount;
    if (attempts >= this.#options.maxAttempts) {
      if (await this.#isFollowed(message.subject)) return this.#bury(message, id, 'Nobody here handles it.');
      this.#logger.warn(`${message.subject} ${id} is left to nobody: this release does not follow it`);
      return message.term('no longer followed');
    }
    message.nak(retryDelaysMs[Math.min(attempts, retryDelaysMs.length) - 1]);
  }

  /** Whether the release that was set up last follows it; what the one before followed comes for a while as well. */
  async #isFollowed(subject: string): Promise<boolean> {
    const { service, stream } = this.#options;
    try {
      const { config } = await (await this.#client.consumers.get(stream, service)).info();
      const followed = JSON.parse(config.metadata?.[consumerMetadata.followed] ?? 'null') as string[] | null;
      return followed?.includes(subject) ?? true;
    } catch {
      return true;
    }
  }

  async #failed(message: JsMsg, id: string, error: unknown): Promise<void> {
    const attempts = message.info.deliveryCount;
    this.#logger.error(error, `${message.subject} ${id} failed, attempt ${attempts}`);
    if (attempts >= this.#options.maxAttempts) return this.#bury(message, id, String(error));
    message.nak(retryDelaysMs[Math.min(attempts, retryDelaysMs.length) - 1]);
  }

  /** Keeps what cannot be handled in the stream DEAD, with the reason, for a person to look at. */
  async #bury(message: JsMsg, id: string, reason: string): Promise<void> {
    const { service: group } = this.#options;
    const { subject: about, seq: sequence } = message;
    const letter = { id, subject: about, sequence, reason, payload: message.string() };
    const subject = `dead.${group}.${message.subject}`;
    try {
      await this.#client.publish(subject, JSON.stringify(letter), { msgID: `${group}-${id}` });
    } catch (error) {
      this.#logger.warn(`${message.subject} ${id} cannot be put aside yet: ${String(error)}`);
      return void message.nak(retryDelaysMs.at(-1));
    }
    this.#logger.error(`${message.subject} ${id} is a dead letter: ${reason}`);
    count(metrics.eventsDead, {
      'messaging.consumer.group.name': this.#group,
      'messaging.destination.name': message.subject,
    });
    message.term(reason.slice(0, 200));
  }
}

/** @throws Error for a second handler of one event, which would silently replace the first. */
export function handlersBySubject(handlers: readonly EventHandler[]): Map<string, EventHandler> {
  const found = new Map<string, EventHandler>();
  for (const handler of handlers) {
    const { subject } = handler.event;
    if (found.has(subject)) throw new Error(`${subject} has two handlers.`);
    found.set(subject, handler);
  }
  return found;
}

/** @throws Error when it takes longer; what it does then it may do beside the next delivery, as after any failure. */
async function within(ms: number, work: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(() => late.reject(new Error(`It was not handled within ${ms} ms.`)), ms);
  try {
    await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whose event it is, as the facts of all contracts say it; one that says nothing waits for no other. */
function accountOf(message: JsMsg): string {
  const { data } = OfAnAccount.safeParse(parsed(message));
  return data?.creatorId ?? data?.uid ?? `${message.seq}`;
}

function parsed(message: JsMsg): unknown {
  try {
    return message.json();
  } catch {
    return undefined;
  }
}
