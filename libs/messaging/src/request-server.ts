import { Caller, type Request } from '@stoa/contracts';
import { count, metrics, observe, type Outcome, withResponseSpan } from '@stoa/telemetry';
import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import { Logger } from '@nestjs/common';
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import pLimit from 'p-limit';
import { lastValueFrom, from } from 'rxjs';
import { z } from 'zod';
import { hash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { flushBus } from './connection.ts';
import { withCurrentReads } from './current-reads.ts';
import { Call } from './handles.decorator.ts';
import { parseInput, Refusal } from './refusal.ts';
import { withBudget } from './request-budget.ts';
import { fromHeaders, header, respondWithRefusal } from './wire.ts';

const IdempotencyKey = z.string().regex(/^[\w-]{1,64}$/);

/**
 * Late handlers that may run for each slot. Each holds little memory, but a hanging service would accumulate
 * many.
 */
const overduePerPlace = 8;
/** Calls of a handler share its deadline, so nearly every late handler ends within this time. */
const endsWithinMs = 250;
const longestTimerMs = 2 ** 31 - 1;
/** Milliseconds for the end of a subscription. A running server confirms it without delay. */
const drainMs = 2000;

export interface RequestServerOptions {
  /** The queue group, so that replicas share the load. */
  readonly queue: string;
  /** Concurrent requests; slow ones have a limit of their own. */
  readonly concurrency: number;
  /**
   * Handlers that may go on after their deadline without a slot. Beyond it a late handler keeps its slot. Eight times
   * `concurrency` by default.
   */
  readonly overdue?: number;
  /** Requests that may wait. One more is refused immediately, and its sender retries with backoff while its time allows. */
  readonly backlog: number;
  /** Whether an error means that a dependency of the handler is away, so that a retry may succeed. */
  readonly isOutage?: (error: unknown) => boolean;
}

/**
 * Nest's transport for requests. Nest's own NATS transport answers late requests, takes any number concurrently and
 * drops those in flight when it closes.
 */
export class RequestServer extends Server implements CustomTransportStrategy {
  protected override readonly logger = new Logger(RequestServer.name);
  readonly #opened: Promise<NatsConnection>;
  #connection: NatsConnection | undefined;
  readonly #options: RequestServerOptions;
  readonly #limit: ReturnType<typeof pLimit>;
  readonly #slowLimit: ReturnType<typeof pLimit>;
  #subscriptions: Subscription[] = [];
  #closed = false;
  readonly #inFlight = new Set<Promise<void>>();
  #overdue = 0;
  #unobserve: (() => void)[] = [];

  /** @param connection May still be pending: requests are taken once it opens. */
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
    // Rejects only if the process stops before NATS is reachable.
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

  /**
   * Whether the server takes requests, or will once NATS is reachable. A subscription that NATS ended never
   * returns.
   */
  get isServing(): boolean {
    return this.#closed || this.#subscriptions.every((subscription) => !subscription.isClosed());
  }

  #subscribe(connection: NatsConnection): void {
    if (this.#closed) return;
    this.#connection = connection;
    this.#subscriptions = [...this.messageHandlers].map(([subject, handler]) => {
      const request = requestOf(handler);
      return connection.subscribe(subject, {
        queue: this.#options.queue,
        callback: (error, message) => {
          if (error) this.logger.error(error);
          else this.#accept(request, handler, message);
        },
      });
    });
  }

  /** Takes no more requests, then waits for those in flight to be answered. */
  async close(): Promise<void> {
    this.#closed = true;
    const subscriptions = this.#subscriptions;
    this.#subscriptions = [];
    await this.#drain(subscriptions);
    await Promise.all(this.#inFlight);
    for (const stop of this.#unobserve) stop();
    if (this.#connection) await flushBus(this.#connection);
  }

  /** Ends the subscriptions. A NATS server that is away sends no more messages, so the wait is bounded. */
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

  /**
   * Whether a message is a request of an account that may send it. A consumer can make JetStream deliver stored
   * messages to any subject. Those stay in the consumer's account, or keep their own subject.
   */
  #cameOnItsOwnSubject({ subject }: Request, message: Msg): boolean {
    return message.subject === subject && isRequest(message);
  }

  #accept(request: Request, handler: MessageHandler, message: Msg): void {
    if (!this.#cameOnItsOwnSubject(request, message)) {
      this.logger.warn(
        `${message.subject} arrived at ${request.subject} and is not a request; it is ignored.`,
      );
      return;
    }
    const limit = request.isSlow ? this.#slowLimit : this.#limit;
    if (limit.pendingCount >= this.#options.backlog) {
      respondWithRefusal(message, new Refusal('unavailable', `${request.service} is busy.`), false);
      return;
    }
    const acceptedAt = performance.now();
    const work = limit(() => this.#answer(request, handler, message, acceptedAt)).finally(() => {
      this.#inFlight.delete(work);
    });
    this.#inFlight.add(work);
  }

  async #answer(request: Request, handler: MessageHandler, message: Msg, acceptedAt: number): Promise<void> {
    const waited = performance.now() - acceptedAt;
    const left = leftOf(request, message, waited);
    await withResponseSpan(request, fromHeaders(message.headers), async () => {
      // The client of a late request has given up. The write could now overwrite what that client, or another
      // one, has written since.
      if (left <= 0) {
        count(metrics.requestsLate, { 'rpc.method': `${request.service}/${request.name}` });
        return refuse(message, new Refusal('timeout', `${request.service} could not begin in time.`));
      }
      try {
        const isCurrent = message.headers?.has(header.current) ?? false;
        const handle = () => withCurrentReads(isCurrent, () => this.#handle(request, handler, message));
        const answered = withBudget(waited, handle, waited + left);
        message.respond(JSON.stringify(await this.#inTime(request, left, answered)));
        return { code: 'ok' };
      } catch (error) {
        if (error instanceof Refusal) return refuse(message, error);
        this.logger.error(error, `${request.subject} failed`);
        return { ...refuse(message, this.#unexpected(request, error)), cause: error };
      }
    });
  }

  /**
   * Resolves like the handler. A late handler gives its slot to another request, unless too many late ones are
   * running.
   *
   * @throws Refusal `timeout` for a late handler.
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
        this.logger.warn(`${request.subject} failed after its deadline: ${String(error)}`),
      )
      .finally(() => (this.#overdue -= 1));
    if (this.#overdue > most) await ended;
    throw new Refusal('timeout', `${request.service} did not answer in time.`);
  }

  #unexpected({ service }: Request, error: unknown): Refusal {
    if (this.#options.isOutage?.(error))
      return new Refusal('unavailable', `${service} is not available right now.`);
    return new Refusal('internal', 'Something went wrong.');
  }

  async #handle(request: Request, handler: MessageHandler, message: Msg): Promise<unknown> {
    // A request without a deadline must not wait: the work could outlive the caller.
    if (!Number.isFinite(leftOf(request, message, 0)))
      throw new Refusal('invalid_input', 'The request does not say for how long it waits.');
    const caller = callerOf(message);
    const input = parseInput(request.input, message.json());
    const result = await handler(input, new Call(caller, requestIdOf(request, message, caller)));
    const output = await lastValueFrom(from(this.transformToObservable(result)));
    return request.output.parse(output);
  }
}

/** The prefix of the reply subject that the server sets for requests from another account; no client may use it. */
const replyAcross = '_R_.';

const requestOf = ({ extras }: MessageHandler) => (extras as { request: Request }).request;
const isRequest = (message: Msg) => message.reply?.startsWith(replyAcross) === true;

/** Milliseconds left to a request that has waited here for `waitedMs`; `Infinity` without a budget. */
function leftOf({ semantics }: Request, { headers }: Msg, waitedMs: number): number {
  const budget = Number(headers?.get(header.budget));
  const deadline = Number(headers?.get(header.deadline));
  const left = budget > 0 ? budget - waitedMs : Infinity;
  // A write may have waited in a buffer while NATS or this process was frozen. Reads ignore the deadline, so clock
  // skew refuses none.
  return semantics === 'safe' || !(deadline > 0) ? left : Math.min(left, deadline - Date.now());
}

/** The signed-in user of a request; null for a visitor. @throws Error for an invalid caller. */
function callerOf({ headers }: Msg): Caller | null {
  const sent = headers?.get(header.caller);
  return sent ? Caller.parse(JSON.parse(sent)) : null;
}

/**
 * The id that a service records for a write. It hashes the key with the request and the caller, so no user can use up
 * another's key.
 */
function requestIdOf({ name }: Request, { headers }: Msg, caller: Caller | null): string | undefined {
  const key = IdempotencyKey.safeParse(headers?.get(header.key)).data;
  return key && hash('sha256', `${name} ${caller?.uid ?? ''} ${key}`, 'base64url');
}

function refuse(message: Msg, refusal: Refusal): Outcome {
  respondWithRefusal(message, refusal);
  return { code: refusal.code };
}
