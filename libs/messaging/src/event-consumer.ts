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
import { pullEvents } from './event-pull.ts';
import type { Delivery } from './handles.decorator.ts';
import { brief, LogLimit } from './log-limit.ts';
import { streamsApi } from './streams.ts';
import { fromHeaders } from './wire.ts';

const OfAnAccount = z.object({
  creatorId: z.string().toLowerCase().optional(),
  uid: z.string().toLowerCase().optional(),
});

export interface EventHandler {
  readonly event: Event;
  readonly handle: (facts: never, delivery: Delivery) => Promise<void>;
}

export interface EventConsumerOptions {
  /** Name of the service; the consumer that set-up made for it carries it. */
  readonly service: string;
  /** Of the events that are handled. */
  readonly stream: Stream;
  /** Deliveries after which an event that fails becomes a dead letter. */
  readonly maxAttempts: number;
  /**
   * Whether a handler failed because something is away that all of them need, so that no event is to blame: it is kept and
   * tried again until that is back, which counts as no delivery.
   */
  readonly isOutage?: (error: unknown) => Promise<boolean>;
  /** Whether a handler failed by what the event holds, as it would with each try: it gets `unprocessableTries` of them. */
  readonly isUnprocessable?: (error: unknown) => boolean;
  /** Deliveries after which an event that this release does not know is left to nobody; 100 unless told: a rollout takes its time. */
  readonly maxPutBacks?: number;
  /** How long one may be handled before it counts as failed; a minute unless told. */
  readonly handledWithinMs?: number;
}

/**
 * Thrown by a handler for what can never succeed: it becomes a dead letter without another try. `facts` are those of the items
 * that failed, where the others of a batch were handled.
 */
export class UnprocessableEvent extends Error {
  readonly facts: unknown;

  constructor(message: string, { facts, cause }: { facts?: unknown; cause?: unknown } = {}) {
    super(message, { cause });
    this.facts = facts;
  }
}

/** Between two deliveries of an event that fails: ten of them take a quarter of an hour. */
const retryDelaysMs = [1, 2, 5, 15, 30, 60, 120, 300].map((seconds) => seconds * 1000);
/** Events handled at once, so that one that takes long holds up nothing but its own account. */
const handledAtOnce = 8;
/** Longer than anything that a handler waits for: of those that hang, eight would stop every event of the service. */
const handledWithinMs = 60_000;
/** Events in hand, with those that wait for one of their account: no more are asked for, and each is kept from others. */
const inHandAtOnce = 64;
/** Events that end within this time are asked for together, while others are in hand. */
const gatherMs = 10;
const maxPutBacks = 100;
/** Of the events that the server lets be in hand, those that wait for another try may fill so many before it is theirs alone. */
const crowdedFrom = 0.75;
/** So often any event is tried, however many wait: a database that is slow for a moment fails all of them once. */
const triesBeforeCrowded = 3;
/** The second try is for what a change of the database or of the code under way brought about. */
const unprocessableTries = 2;
/** Between two tries during an outage: it doubles, and is short enough for nobody to wait for the events after it. */
const outagePausesMs = { first: 250, longest: 2000 };
/** So often the server hears that an event is worked on, within the time after which it gives it to another (`ack_wait`). */
const workingPerAckWait = 3;
/** Of a server that does not say. */
const defaultAckWait = nanos(30_000);

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
  readonly #deadLetters: DeadLetters;
  readonly #failures = new LogLimit();
  readonly #stopping = new AbortController();
  /** What gives an event back at a stop, of each in hand. */
  readonly #atStop = new Set<() => void>();
  #isStopped = false;
  #running: Promise<void> | undefined;
  readonly #inHand = new Set<Promise<void>>();
  readonly #limit = pLimit(handledAtOnce);
  /** The last event in hand of each account. */
  readonly #turns = new Map<string, Promise<void>>();
  #unobserve: () => void = () => undefined;
  #isAway = false;
  /** Between two times that the server hears of an event in hand. */
  #workingMs = millis(defaultAckWait) / workingPerAckWait;

  constructor(connection: NatsConnection, handlers: EventHandler[], options: EventConsumerOptions) {
    this.#connection = connection;
    this.#client = jetstream(connection, streamsApi);
    this.#options = options;
    this.#handlers = handlersBySubject(handlers);
    this.#deadLetters = new DeadLetters(this.#client, options.service, this.#group);
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

  /** Takes no more events, gives back those that are not begun, and waits for the others. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#unobserve();
    await this.#running;
    // Not before nothing more is asked for: what is given back would come here again, and count as one more delivery.
    this.#isStopped = true;
    for (const giveBack of this.#atStop) giveBack();
    await Promise.all(this.#inHand);
    // The server must know before we are gone, or it delivers the next event to no consumer and waits out the ack.
    await flushBus(this.#connection);
  }

  // The outer loop outlives a broker that is down, and a stream or consumer not there yet.
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
      if (this.#inHand.size > inHandAtOnce / 2) await pause(gatherMs);
      const most = inHandAtOnce - this.#inHand.size;
      await pullEvents(consumer, { connection: this.#connection, signal, most }, (message) =>
        this.#begin(message),
      );
    }
  }

  /** Resolves once one more event may be in hand, or a stop is asked for. */
  async #room(signal: AbortSignal): Promise<void> {
    while (this.#inHand.size >= inHandAtOnce && !signal.aborted) {
      // Not one promise for all waits: each race would leave something on it until the process ends.
      const stop = Promise.withResolvers<void>();
      const stopped = () => stop.resolve();
      signal.addEventListener('abort', stopped);
      await Promise.race([...this.#inHand, stop.promise]);
      signal.removeEventListener('abort', stopped);
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

  /**
   * Events of one account are handled in their order, those of others beside them; what a stop finds waiting is given back. That
   * order is of this replica alone: an event that is tried again, or goes to another replica, may come after later ones. So
   * listeners that keep something heed the version or the time that the event carries.
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
    this.#atStop.add(stop.resolve);
    if (this.#isStopped) stop.resolve();
    try {
      await Promise.race([taken, stop.promise]);
      if (progress.isBegun) return await taken;
      progress.isGivenBack = true;
      message.nak();
    } finally {
      clearInterval(working);
      this.#atStop.delete(stop.resolve);
    }
  }

  async #take(message: JsMsg): Promise<void> {
    const handler = this.#handlers.get(message.subject);
    const id = message.headers?.get('Nats-Msg-Id') || `${this.#options.stream}-${message.seq}`;
    if (!handler) return this.#putBack(message, id);
    const { signal } = this.#stopping;
    let pauseMs = outagePausesMs.first;
    while (!(await this.#isAnswered(handler, message, id))) {
      await pause(pauseMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return message.nak();
      pauseMs = Math.min(2 * pauseMs, outagePausesMs.longest);
    }
  }

  /** Tries it; an outage leaves it unanswered. */
  async #isAnswered(handler: EventHandler, message: JsMsg, id: string): Promise<boolean> {
    const about = { subject: message.subject, group: this.#group, id };
    try {
      await withConsumeSpan(about, fromHeaders(message.headers), () => this.#handle(handler, message, id));
    } catch (error) {
      // Logged and answered within its trace.
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
    this.#isAway = false;
    message.ack();
  }

  #outage({ subject }: JsMsg, id: string, cause: unknown): Outage {
    // Once, not for each event and try.
    if (!this.#isAway) this.#logger.warn(`events wait, ${subject} ${id} among them: ${String(cause)}`);
    this.#isAway = true;
    return new Outage(`Something is away: ${String(cause)}`, { cause });
  }

  // While a release is rolled out, replicas of the one before are given what only the new ones handle.
  async #putBack(message: JsMsg, id: string): Promise<void> {
    const attempts = message.info.deliveryCount;
    if (attempts >= (this.#options.maxPutBacks ?? maxPutBacks)) {
      if (await this.#isFollowed(message.subject))
        return this.#deadLetters.add(message, id, { reason: 'Nobody here handles it.' });
      this.#logger.warn(`${message.subject} ${id} is left to nobody: this release does not follow it`);
      return message.term('no longer followed');
    }
    message.nak(retryDelayMs(attempts));
  }

  /** Whether the release that was set up last follows it; what the one before followed comes for a while as well. */
  async #isFollowed(subject: string): Promise<boolean> {
    const { config } = (await this.#info()) ?? {};
    const followed = JSON.parse(config?.metadata?.[consumerMetadata.followed] ?? 'null') as string[] | null;
    return followed?.includes(subject) ?? true;
  }

  async #failed(message: JsMsg, id: string, error: unknown): Promise<void> {
    const attempts = message.info.deliveryCount;
    // An event that anybody can cause must not fill the log.
    const logged = this.#failures.take(message.subject);
    if (logged === 'first') this.#logger.error(error, `${message.subject} ${id} failed, attempt ${attempts}`);
    else if (logged)
      this.#logger.warn(`${message.subject} ${id} failed, attempt ${attempts}: ${brief(error)}`);
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

  /** Whether so many events wait for another try, which the server counts as in hand, that it would soon give out no others. */
  async #isCrowded(): Promise<boolean> {
    const info = await this.#info();
    const most = info?.config.max_ack_pending ?? -1;
    return info !== undefined && most > 0 && info.num_ack_pending >= crowdedFrom * most;
  }

  /** What the server says of the consumer, if it says anything. */
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
