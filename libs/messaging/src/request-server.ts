import { type Request } from '@stoa/contracts';
import { count, metrics, observe, type Outcome, withResponseSpan } from '@stoa/telemetry';
import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import { Logger } from '@nestjs/common';
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import pLimit from 'p-limit';
import { lastValueFrom, from } from 'rxjs';
import { z } from 'zod';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { flushBus } from './connection.ts';
import { withCurrentReads } from './current-reads.ts';
import { Call } from './handles.decorator.ts';
import { parseInput, Refusal } from './refusal.ts';
import { RequestAges } from './request-ages.ts';
import { withBudget } from './request-budget.ts';
import {
  addressedSubject,
  joinedSubject,
  leftSubject,
  pingSubject,
  replicasSubject,
  replicaSubject,
} from './service-liveness.ts';
import { ClocksApart, type RequestVerifier } from './signed-request.ts';
import { type AskAgain, fromHeaders, header, respondWith, respondWithRefusal } from './wire.ts';

const AskedAbout = z.array(z.string());
const RequestId = z.string().regex(/^[\w-]{1,64}$/);

/** Handlers that go on after their time, for each place: what they hold is little, and a service that hangs begins many. */
const overduePerPlace = 8;
/** What a handler calls ends with its request, so that nearly every one ends by itself soon after. */
const endsWithinMs = 250;
const longestTimerMs = 2 ** 31 - 1;
/** The server answers a drain at once; one that does not is away. */
const drainMs = 2000;

export interface RequestServerOptions {
  /** Queue group, so that replicas share the load. */
  readonly queue: string;
  /** Proves who asks. */
  readonly verifier: RequestVerifier;
  /** Requests worked on at once; slow ones are counted by themselves. */
  readonly concurrency: number;
  /**
   * Handlers that go on when nobody waits for them any more and their place has been given to another request; of more each
   * keeps its place. Eight times `concurrency` unless told.
   */
  readonly overdue?: number;
  /** Requests that may wait; one more is refused at once, and asked for again a few times where its time allows. */
  readonly backlog: number;
  /** Whether an error means that something behind the service is away, so that asking later may help. */
  readonly isOutage?: (error: unknown) => boolean;
  /** Whether another try a moment later may find such an outage over; its asker is told then. */
  readonly isPassing?: (error: unknown) => boolean;
}

/**
 * Nest's way in for requests, in place of its own NATS transport: that one answers late requests, takes any
 * number at once and drops those in flight when it closes.
 */
export class RequestServer extends Server implements CustomTransportStrategy {
  protected override readonly logger = new Logger(RequestServer.name);
  readonly #opened: Promise<NatsConnection>;
  #connection: NatsConnection | undefined;
  readonly #options: RequestServerOptions;
  readonly #limit: ReturnType<typeof pLimit>;
  readonly #slowLimit: ReturnType<typeof pLimit>;
  #subscriptions: Subscription[] = [];
  #pings: Subscription[] = [];
  #closed = false;
  readonly #inFlight = new Set<Promise<void>>();
  #overdue = 0;
  /** By what the caller calls them. */
  readonly #inHand = new Set<string>();
  readonly #replica = randomUUID();
  readonly #ages = new RequestAges();
  #unobserve: (() => void)[] = [];

  /** @param connection May still be on its way: requests are taken once it is there. */
  constructor(connection: NatsConnection | Promise<NatsConnection>, options: RequestServerOptions) {
    super();
    if (!(connection instanceof Promise)) this.#connection = connection;
    this.#opened = Promise.resolve(connection);
    this.#options = options;
    this.#limit = pLimit(options.concurrency);
    this.#slowLimit = pLimit(options.concurrency);
  }

  /** @throws Error for a second handler of one request, which would silently replace the first. */
  override addHandler(...[subject, ...rest]: Parameters<Server['addHandler']>): void {
    if (this.messageHandlers.has(String(subject))) throw new Error(`${subject} has two handlers.`);
    super.addHandler(subject, ...rest);
  }

  /** Subscribes every handler once there is a connection; called by Nest when the application starts. */
  listen(callback: () => void): void {
    if (this.#connection) this.#subscribe(this.#connection);
    // Rejects only where the process stops before NATS was there.
    else
      void this.#opened.then(
        (connection) => this.#subscribe(connection),
        () => undefined,
      );
    this.#unobserve = [
      observe(metrics.requestsInFlight, () => this.#limit.activeCount + this.#slowLimit.activeCount),
      observe(metrics.requestsOverdue, () => this.#overdue),
      observe(metrics.requestsWaiting, () => this.#limit.pendingCount + this.#slowLimit.pendingCount),
    ];
    callback();
  }

  #subscribe(connection: NatsConnection): void {
    if (this.#closed) return;
    this.#connection = connection;
    this.#pings = this.#answerPings(connection);
    // Before the first request comes: who has it in hand when it dies is missed from then on.
    this.#announce(joinedSubject);
    const handlers = new Map(
      [...this.messageHandlers].map(([subject, handler]) => [
        subject,
        { request: requestOf(handler), handler },
      ]),
    );
    const take = (options: { queue?: string }, on: string, subjectOf: (message: Msg) => string) =>
      connection.subscribe(on, {
        ...options,
        callback: (error, message) => {
          const taken = handlers.get(subjectOf(message));
          if (error) this.logger.error(error);
          else if (taken) this.#accept(taken.request, taken.handler, message);
        },
      });
    const { queue } = this.#options;
    this.#subscriptions = [
      ...[...handlers.keys()].map((subject) => take({ queue }, subject, () => subject)),
      ...[...this.#services()].map((service) =>
        take(
          {},
          addressedSubject(service, this.#replica, '*'),
          ({ subject }) => `rpc.${service}.${subject.split('.').at(-1)}`,
        ),
      ),
    ];
  }

  /** Takes no more requests, then waits for those in flight to be answered. */
  async close(): Promise<void> {
    this.#closed = true;
    const subscriptions = this.#subscriptions;
    this.#subscriptions = [];
    await this.#drain(subscriptions);
    await Promise.all(this.#inFlight);
    // Said before the pings end, so that whoever finds none has heard it.
    this.#announce(leftSubject);
    // Until here, for those who still wait: see ServiceLiveness.
    await this.#drain(this.#pings.splice(0));
    for (const stop of this.#unobserve) stop();
    if (this.#connection) await flushBus(this.#connection);
  }

  #announce(subjectOf: (service: string) => string): void {
    const connection = this.#connection;
    if (!connection || connection.isClosed()) return;
    for (const service of this.#services()) connection.publish(subjectOf(service), this.#replica);
  }

  #services(): Set<string> {
    return new Set([...this.messageHandlers.values()].map((handler) => requestOf(handler).service));
  }

  /** A server that is away sends nothing that would have to be waited for. */
  async #drain(subscriptions: readonly Subscription[]): Promise<void> {
    const drained = Promise.all(subscriptions.map((subscription) => subscription.drain()));
    await Promise.race([drained, pause(drainMs, undefined, { ref: false })]).catch(() => undefined);
  }

  on(): never {
    throw new Error('RequestServer has no events of its own.');
  }

  unwrap<T>(): T {
    return this.#connection as T;
  }

  #answerPings(connection: NatsConnection): Subscription[] {
    const answer = (what: (message: Msg) => string) => (error: Error | null, message: Msg) => {
      if (!error && isRequest(message)) message.respond(what(message));
    };
    const present = answer(() => '');
    const inHand = answer((message) => {
      // Every asker comes by here every few seconds, so that its clock is known before its first request.
      this.#ageOf(message);
      const holds = AskedAbout.parse(message.json()).filter((id) => this.#inHand.has(id));
      return JSON.stringify({ replica: this.#replica, holds });
    });
    const { queue } = this.#options;
    return [...this.#services()].flatMap((service) => [
      connection.subscribe(pingSubject(service), { queue, callback: present }),
      connection.subscribe(replicaSubject(service, this.#replica), { callback: present }),
      connection.subscribe(replicasSubject(service), { callback: inHand }),
    ]);
  }

  /**
   * Whether a message is a request by somebody who may ask, whose account alone is let in. JetStream delivers stored
   * messages to any subject that a reader names, but they stay in the reader's account, or keep their own subject.
   */
  #cameOnItsOwnSubject({ service, name, subject }: Request, message: Msg): boolean {
    const own = [subject, addressedSubject(service, this.#replica, name)];
    return own.includes(message.subject) && isRequest(message);
  }

  #accept(request: Request, handler: MessageHandler, message: Msg): void {
    if (!this.#cameOnItsOwnSubject(request, message)) {
      this.logger.warn(`${message.subject} came to ${request.subject} as no request, and is left alone.`);
      return;
    }
    const limit = request.isSlow ? this.#slowLimit : this.#limit;
    if (limit.pendingCount >= this.#options.backlog) {
      respondWithRefusal(message, new Refusal('unavailable', `${request.service} is busy.`), 'busy');
      return;
    }
    // One that lay in a buffer while this process stood still, or NATS did, is as late as one that waits here.
    const sentAt = performance.now() - this.#ageOf(message);
    const id = message.headers?.get(header.id) ?? '';
    this.#inHand.add(id);
    const work = limit(() => this.#answer(request, handler, message, sentAt)).finally(() => {
      this.#inFlight.delete(work);
      this.#inHand.delete(id);
    });
    this.#inFlight.add(work);
  }

  #ageOf({ headers }: Msg): number {
    return this.#ages.ageOf(headers?.get(header.sent), performance.now());
  }

  async #answer(request: Request, handler: MessageHandler, message: Msg, sentAt: number): Promise<void> {
    const waited = performance.now() - sentAt;
    const budget = budgetOf(message);
    await withResponseSpan(request, fromHeaders(message.headers), async () => {
      // Nobody waits any more: an edit would come after what its author, or somebody else, has written since.
      if (waited >= budget) {
        const late = new Refusal('timeout', `${request.service} could not begin in time.`);
        return refuse(message, late, 'late');
      }
      try {
        const isCurrent = message.headers?.has(header.current) ?? false;
        const handle = () => withCurrentReads(isCurrent, () => this.#handle(request, handler, message));
        const answered = withBudget(waited, handle, budget);
        respondWith(message, request, await this.#inTime(request, budget - waited, answered));
        return { code: 'ok' };
      } catch (error) {
        if (error instanceof Refusal) return refuse(message, error);
        this.logger.error(error, `${request.subject} failed`);
        const again = this.#options.isPassing?.(error) ? 'outage' : undefined;
        return { ...refuse(message, this.#unexpected(request, error), again), cause: error };
      }
    });
  }

  /**
   * What a handler answers. One that is not done when nobody waits any more gives its place to another request, unless many
   * such go on already.
   *
   * @throws Refusal `timeout` then.
   */
  async #inTime(request: Request, leftMs: number, answer: Promise<unknown>): Promise<unknown> {
    const late = Promise.withResolvers<'late'>();
    const timer = setTimeout(() => late.resolve('late'), Math.min(leftMs + endsWithinMs, longestTimerMs));
    try {
      const first = await Promise.race([answer, late.promise]);
      if (first !== 'late') return first;
    } finally {
      clearTimeout(timer);
    }
    count(metrics.requestsOverran, { 'rpc.method': `${request.service}/${request.name}` });
    const most = this.#options.overdue ?? overduePerPlace * this.#options.concurrency;
    this.#overdue += 1;
    const ended = answer
      .catch((error: unknown) =>
        this.logger.warn(`${request.subject} failed when nobody waited any more: ${String(error)}`),
      )
      .finally(() => (this.#overdue -= 1));
    if (this.#overdue > most) await ended;
    throw new Refusal('timeout', `${request.service} did not answer in time.`);
  }

  #unexpected({ service }: Request, error: unknown): Refusal {
    const areClocksApart = error instanceof ClocksApart;
    if (areClocksApart) count(metrics.requestsClocksApart);
    if (areClocksApart || this.#options.isOutage?.(error))
      return new Refusal('unavailable', `${service} is not available right now.`);
    return new Refusal('internal', 'Something went wrong.');
  }

  async #handle(request: Request, handler: MessageHandler, message: Msg): Promise<unknown> {
    // Without a deadline the work could outlive the caller that waits for it.
    if (!Number.isFinite(budgetOf(message)))
      throw new Refusal('invalid_input', 'The request does not say for how long it waits.');
    const signed = message.headers?.get(header.signed) ?? '';
    const caller = await this.#options.verifier.verify(signed, request.subject, message.data);
    const input = parseInput(request.input, message.json());
    const id = RequestId.safeParse(message.headers?.get(header.id)).data;
    const isRepeat = message.headers?.has(header.resend) ?? false;
    const result = await handler(input, new Call(caller, id, isRepeat));
    const output = await lastValueFrom(from(this.transformToObservable(result)));
    return request.output.parse(output);
  }
}

/** What the server puts in place of the reply of a request that comes from another account; no client may say it. */
const replyAcross = '_R_.';

const requestOf = ({ extras }: MessageHandler) => (extras as { request: Request }).request;
const isRequest = (message: Msg) => message.reply?.startsWith(replyAcross) === true;

/** Milliseconds for which the answer is waited for; endless where the request does not say. */
function budgetOf({ headers }: Msg): number {
  const told = Number(headers?.get(header.budget));
  if (told > 0) return told;
  const deadline = Number(headers?.get(header.deadline));
  return deadline > 0 ? deadline - Date.now() : Infinity;
}

function refuse(message: Msg, refusal: Refusal, again?: AskAgain): Outcome {
  respondWithRefusal(message, refusal, again);
  return { code: refusal.code };
}
