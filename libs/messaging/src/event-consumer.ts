import { consumerMetadata, type Event, type Stream } from '@stoa/contracts';
import { withConsumeSpan, metrics, observeTogether } from '@stoa/telemetry';
import { Logger } from '@nestjs/common';
import {
  type ConsumerInfo,
  type JetStreamClient,
  jetstream,
  jetstreamManager,
  type JsMsg,
} from '@nats-io/jetstream';
import { millis, nanos, type NatsConnection } from '@nats-io/transport-node';
import pLimit from 'p-limit';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { flushBus } from './connection.ts';
import { DeadLetters } from './dead-letters.ts';
import { endsBefore, within } from './deadlines.ts';
import { pullEvents } from './event-pull.ts';
import type { Delivery } from './handles.decorator.ts';
import { oneLine, LogLimit } from './log-limit.ts';
import { streamsApi } from './streams.ts';
import { fromHeaders } from './wire.ts';

const AccountFacts = z.object({
  creatorId: z.string().toLowerCase().optional(),
  uid: z.string().toLowerCase().optional(),
});

export interface EventHandler {
  readonly event: Event;
  readonly handle: (facts: never, delivery: Delivery) => Promise<void>;
}

export interface EventConsumerOptions {
  /** Name of the service; the provisioned consumer has the same name. */
  readonly service: string;
  readonly stream: Stream;
  /** Deliveries after which an event that fails becomes a dead letter. */
  readonly maxAttempts: number;
  /**
   * Whether a handler failed because a dependency of all handlers is away. The event is then kept and retried until
   * the dependency is back. These retries do not count as deliveries.
   */
  readonly isOutage?: (error: unknown) => Promise<boolean>;
  /**
   * Whether a handler failed because of the event's content, as every retry would. Such an event gets
   * `unprocessableTries` tries.
   */
  readonly isUnprocessable?: (error: unknown) => boolean;
  /** Deliveries of an event without a handler before it is terminated; 100 by default, which outlasts a rollout. */
  readonly maxPutBacks?: number;
  /** Milliseconds until a handler's event counts as failed; a minute by default. */
  readonly handledWithinMs?: number;
  /** How long a stop waits for running handlers; 20 s by default. */
  readonly stopMs?: number;
}

/**
 * Thrown by a handler for an event that can never succeed: it becomes a dead letter without a retry. `facts` are
 * those of the failed items, if other items of a batch were handled.
 */
export class UnprocessableEvent extends Error {
  readonly facts: unknown;

  constructor(message: string, { facts, cause }: { facts?: unknown; cause?: unknown } = {}) {
    super(message, { cause });
    this.facts = facts;
  }
}

/** Pauses between two deliveries of a failing event: ten deliveries take a quarter of an hour. */
const retryDelaysMs = [1, 2, 5, 15, 30, 60, 120, 300].map((seconds) => seconds * 1000);
/** Events handled concurrently, so that a slow one delays only the events of its own account. */
const maxConcurrent = 8;
/** Milliseconds, longer than any wait of a handler. Without it eight hanging handlers would stop all events. */
const handledWithinMs = 60_000;
/**
 * Waits of a stop for running handlers. A process has 35 s to end after SIGTERM, and other steps of the stop
 * need some of them.
 */
const stopMs = 20_000;
/** Events in flight, including those that wait for another of their account. Other replicas get none of these. */
const maxInFlight = 64;
/** Milliseconds in which slots become free before one pull refills them, while more than half are taken. */
const gatherMs = 10;
const maxPutBacks = 100;
/** The share of `max_ack_pending` from which failing events are given up early, before they block the consumer. */
const crowdedFrom = 0.75;
/** Tries of any event before crowding counts: a database that is slow for a moment fails all events once. */
const triesBeforeCrowded = 3;
/** The second try covers a change of the database or of the code during the first. */
const unprocessableTries = 2;
/** Pauses between two tries during an outage: doubling, and short enough not to delay later events. */
const outagePausesMs = { first: 250, longest: 2000 };
/** Progress signals per `ack_wait`, after which the server delivers the event to another replica. */
const workingPerAckWait = 3;
/** For a server that reports no `ack_wait`. */
const defaultAckWait = nanos(30_000);

/**
 * Follows events of other services through one durable consumer for all replicas, at least once each.
 * deploy/nats/consumers.json decides which events it gets.
 */
export class EventConsumer {
  readonly #logger = new Logger(EventConsumer.name);
  readonly #client: JetStreamClient;
  readonly #connection: NatsConnection;
  readonly #options: EventConsumerOptions;
  readonly #handlers: Map<string, EventHandler>;
  readonly #deadLetters: DeadLetters;
  readonly #failures = new LogLimit();
  readonly #stopping = new AbortController();
  /** For each event in flight a function that returns it to the server at a stop. */
  readonly #giveBacks = new Set<() => void>();
  #isStopped = false;
  /** Resolves when the stop gives up its wait for running handlers. */
  readonly #stopExpired = Promise.withResolvers<void>();
  #running: Promise<void> | undefined;
  readonly #inFlight = new Set<Promise<void>>();
  readonly #limit = pLimit(maxConcurrent);
  readonly #turns = new Map<string, Promise<void>>();
  #unobserve: () => void = () => undefined;
  #isOutageLogged = false;
  /** Pause between two progress signals of an event in flight. */
  #workingMs = millis(defaultAckWait) / workingPerAckWait;

  constructor(connection: NatsConnection, handlers: EventHandler[], options: EventConsumerOptions) {
    this.#connection = connection;
    this.#client = jetstream(connection, streamsApi);
    this.#options = options;
    this.#handlers = handlersBySubject(handlers);
    this.#deadLetters = new DeadLetters(this.#client, options.service, this.#group);
  }

  /** The consumer's name in metrics. */
  get #group(): string {
    const { service, stream } = this.#options;
    return stream === 'EVENTS' ? service : `${service} ${stream.toLowerCase()}`;
  }

  start(): void {
    if (this.#handlers.size === 0) return;
    this.#running = this.#run();
    this.#observeLag();
  }

  /** Takes no more events, returns those not begun, and waits for the others. Events of hanging handlers are returned as well. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#unobserve();
    await this.#running;
    // Returns events only after the last pull has ended. Otherwise the server would deliver them to this
    // replica again, which counts as another delivery.
    this.#isStopped = true;
    for (const giveBack of this.#giveBacks) giveBack();
    const timer = setTimeout(() => this.#stopExpired.resolve(), this.#options.stopMs ?? stopMs);
    await Promise.all(this.#inFlight);
    clearTimeout(timer);
    // The server must receive the answers before the process ends. Otherwise it sends the next event to this
    // process and waits for `ack_wait`.
    await flushBus(this.#connection);
  }

  // Two loops: the outer one tries again while NATS is down, or the stream or consumer does not exist yet.
  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await this.#follow(signal);
      } catch (error) {
        if (signal.aborted) return;
        this.#logger.warn(`following events failed, trying again: ${String(error)}`);
      }
      await pause(500, undefined, { signal }).catch(() => undefined);
    }
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const consumer = await this.#client.consumers.get(this.#options.stream, this.#options.service);
    const { ack_wait: ackWait = defaultAckWait } = (await consumer.info(true)).config;
    this.#workingMs = millis(ackWait) / workingPerAckWait;
    while (!signal.aborted) {
      await this.#room(signal);
      if (this.#inFlight.size > maxInFlight / 2) await pause(gatherMs);
      const most = maxInFlight - this.#inFlight.size;
      await pullEvents(consumer, { connection: this.#connection, signal, most }, (message) =>
        this.#begin(message),
      );
    }
  }

  /** Resolves once there is room for another event, or a stop begins. */
  async #room(signal: AbortSignal): Promise<void> {
    while (this.#inFlight.size >= maxInFlight && !signal.aborted) {
      // Creates a promise for each race: callbacks on a shared promise would stay until the process ends.
      const stop = Promise.withResolvers<void>();
      const stopped = () => stop.resolve();
      signal.addEventListener('abort', stopped);
      await Promise.race([...this.#inFlight, stop.promise]);
      signal.removeEventListener('abort', stopped);
    }
  }

  // Every replica reports the shared consumer; queries take the largest value, not the sum.
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
      this.#inFlight.delete(work);
      if (this.#turns.get(account) === work) this.#turns.delete(account);
    });
    this.#inFlight.add(work);
    this.#turns.set(account, work);
  }

  /**
   * Handles events of one account in order and those of different accounts concurrently. A stop returns the waiting
   * ones. The order holds within this replica only: a retried or moved event may come after later ones. Listeners
   * that store state therefore check the version or time in the event.
   */
  async #takeAfter(before: Promise<void> | undefined, message: JsMsg): Promise<void> {
    const working = setInterval(() => message.working(), this.#workingMs);
    const progress = { isBegun: false, isGivenBack: false };
    const begin = async () => {
      if (progress.isGivenBack) return;
      progress.isBegun = true;
      await this.#take(message);
    };
    const taken = Promise.resolve(before).then(() => this.#limit(begin));
    const stop = Promise.withResolvers<void>();
    this.#giveBacks.add(stop.resolve);
    if (this.#isStopped) stop.resolve();
    try {
      if (await endsBefore(stop.promise, taken)) return;
      // A hanging handler goes on and may run beside the next delivery, as after any failure.
      if (progress.isBegun && (await endsBefore(this.#stopExpired.promise, taken))) return;
      progress.isGivenBack = true;
      message.nak();
    } finally {
      clearInterval(working);
      this.#giveBacks.delete(stop.resolve);
    }
  }

  async #take(message: JsMsg): Promise<void> {
    const handler = this.#handlers.get(message.subject);
    const id = message.headers?.get('Nats-Msg-Id') || `${this.#options.stream}-${message.seq}`;
    if (!handler) return this.#returnUnknown(message, id);
    const { signal } = this.#stopping;
    let pauseMs = outagePausesMs.first;
    while (!(await this.#tryOnce(handler, message, id))) {
      await pause(pauseMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return message.nak();
      pauseMs = Math.min(2 * pauseMs, outagePausesMs.longest);
    }
  }

  /** Handles the event once. Returns false, without an answer to the server, during an outage. */
  async #tryOnce(handler: EventHandler, message: JsMsg, id: string): Promise<boolean> {
    const about = { subject: message.subject, group: this.#group, id };
    try {
      await withConsumeSpan(about, fromHeaders(message.headers), () => this.#handle(handler, message, id));
    } catch (error) {
      return !(error instanceof Outage);
    }
    return true;
  }

  async #handle({ event, handle }: EventHandler, message: JsMsg, id: string): Promise<void> {
    const facts = event.facts.safeParse(parsed(message));
    if (!facts.success) {
      await this.#deadLetters.add(message, id, { reason: facts.error.message });
      throw facts.error;
    }
    try {
      const handled = handle(facts.data as never, { id, subject: message.subject });
      await within(this.#options.handledWithinMs ?? handledWithinMs, handled);
    } catch (error) {
      if (await this.#options.isOutage?.(error)) throw this.#outage(message, id, error);
      await this.#failed(message, id, error);
      throw error;
    }
    this.#isOutageLogged = false;
    message.ack();
  }

  #outage({ subject }: JsMsg, id: string, cause: unknown): Outage {
    // Logs once per outage, not for each event and try.
    if (!this.#isOutageLogged)
      this.#logger.warn(`events wait, ${subject} ${id} among them: ${String(cause)}`);
    this.#isOutageLogged = true;
    return new Outage(`Something is away: ${String(cause)}`, { cause });
  }

  // During a rollout, replicas of the previous release get events that only the new release handles.
  async #returnUnknown(message: JsMsg, id: string): Promise<void> {
    const attempts = message.info.deliveryCount;
    if (attempts >= (this.#options.maxPutBacks ?? maxPutBacks)) {
      if (await this.#isFollowed(message.subject))
        return this.#deadLetters.add(message, id, { reason: 'No handler.' });
      this.#logger.warn(`${message.subject} ${id} is dropped: the current release does not follow it`);
      return message.term('no longer followed');
    }
    message.nak(retryDelayMs(attempts));
  }

  /**
   * Whether the last provisioned release follows this subject. For a while the server still delivers events
   * that only the previous release follows.
   */
  async #isFollowed(subject: string): Promise<boolean> {
    const { config } = (await this.#info()) ?? {};
    const followed = JSON.parse(config?.metadata?.[consumerMetadata.followed] ?? 'null') as string[] | null;
    return followed?.includes(subject) ?? true;
  }

  async #failed(message: JsMsg, id: string, error: unknown): Promise<void> {
    const attempts = message.info.deliveryCount;
    // Limits the log lines, because users can cause failing events in any number.
    const logged = this.#failures.take(message.subject);
    if (logged === 'first') this.#logger.error(error, `${message.subject} ${id} failed, attempt ${attempts}`);
    else if (logged)
      this.#logger.warn(`${message.subject} ${id} failed, attempt ${attempts}: ${oneLine(error)}`);
    if (await this.#isGivenUp(error, attempts)) {
      const facts = error instanceof UnprocessableEvent ? error.facts : undefined;
      return this.#deadLetters.add(message, id, { reason: String(error), facts });
    }
    message.nak(retryDelayMs(attempts));
  }

  async #isGivenUp(error: unknown, attempts: number): Promise<boolean> {
    const { maxAttempts, isUnprocessable } = this.#options;
    if (error instanceof UnprocessableEvent || attempts >= maxAttempts) return true;
    if (attempts >= unprocessableTries && isUnprocessable?.(error)) return true;
    return attempts >= triesBeforeCrowded && this.#isCrowded();
  }

  /** Whether so many events wait for a retry, and count as unacknowledged, that the server would soon deliver no others. */
  async #isCrowded(): Promise<boolean> {
    const info = await this.#info();
    const most = info?.config.max_ack_pending ?? -1;
    return info !== undefined && most > 0 && info.num_ack_pending >= crowdedFrom * most;
  }

  /** Reads the consumer's state from the server; undefined if the server does not answer. */
  async #info(): Promise<ConsumerInfo | undefined> {
    const { service, stream } = this.#options;
    try {
      return await (await this.#client.consumers.get(stream, service)).info(true);
    } catch {
      return undefined;
    }
  }
}

class Outage extends Error {}

const retryDelayMs = (attempts: number) => retryDelaysMs[Math.min(attempts, retryDelaysMs.length) - 1];

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

/** The account that the event concerns, from its facts. An event without one waits for no other. */
function accountOf(message: JsMsg): string {
  const { data } = AccountFacts.safeParse(parsed(message));
  return data?.creatorId ?? data?.uid ?? `${message.seq}`;
}

function parsed(message: JsMsg): unknown {
  try {
    return message.json();
  } catch {
    return undefined;
  }
}
