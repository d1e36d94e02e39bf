import type { Caller, Input, Output, Request } from '@stoa/contracts';
import { withRequestSpan } from '@stoa/telemetry';
import {
  type Msg,
  type NatsConnection,
  NoRespondersError,
  RequestError,
  TimeoutError,
} from '@nats-io/transport-node';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { closeBus, PendingConnection } from './connection.ts';
import { ConnectionLost, connectionStatus } from './connection-status.ts';
import { readsCurrent } from './current-reads.ts';
import { idempotencyKey } from './idempotency-key.ts';
import { Refusal } from './refusal.ts';
import { remainingMs } from './request-budget.ts';
import { header, readAnswer, toHeaders, wasNotBegun } from './wire.ts';

/**
 * A request fails after this time at the latest. With the way back it stays below 5 s, the longest wait of a
 * browser's request.
 */
const longestMs = 4800;
/**
 * Milliseconds that a restart of NATS or of a service may take. A write waits longer, because its input was
 * typed by a user.
 */
const restartMs = { read: 1000, write: 3000 };
/** Nearly every answer comes within this time; only after it the bus sends a read again. */
const retryAfterMs = 250;
/** Concurrent retries of reads. The bound keeps a slow service from receiving a multiple of its load. */
const maxRetries = 16;
/** Pauses before a request is sent again that no replica began; the actual pause is up to twice as long. */
const backoffMs = { first: 50, longest: 400 };
/** Concurrent requests in backoff. Without the bound a lasting overload would multiply the load. */
const maxBackoffs = 256;

export interface AskOptions {
  /** The user on whose behalf the request is sent; services decide ownership by it. */
  readonly caller?: Caller | null | undefined;
  /** Milliseconds from the start of the request in progress until this answer is given up; 4800 by default. */
  readonly timeoutMs?: number;
}

interface Outgoing {
  readonly request: Request;
  /** A time of `performance.now()`. */
  readonly endsAt: number;
  readonly isWrite: boolean;
  readonly send: (isRetry: boolean) => Promise<Msg>;
}

/** Sends requests to other services, by contract. */
export class Bus {
  /** Resolves with the connection, for processes that start without one. Rejects when the process stops before. */
  readonly opened: Promise<NatsConnection>;
  readonly #pending: PendingConnection | undefined;
  #connection: NatsConnection | undefined;
  /** When the connection was lost, by `performance.now()`: `Infinity` while connected, `-Infinity` before the first connection. */
  #lostAt = -Infinity;
  #retries = 0;
  #backoffs = 0;
  /** When each service without a responder was first found away, by `performance.now()`. */
  readonly #awaySince = new Map<string, number>();

  constructor(connection: NatsConnection | PendingConnection) {
    if (connection instanceof PendingConnection) {
      this.#pending = connection;
      this.opened = connection.opened;
      void connection.opened.then((open) => this.#use(open)).catch(() => undefined);
    } else {
      this.opened = Promise.resolve(connection);
      this.#use(connection);
    }
  }

  /**
   * The NATS connection, for JetStream and for health checks.
   *
   * @throws Refusal before the first connection.
   */
  get connection(): NatsConnection {
    if (!this.#connection) throw busUnavailable();
    return this.#connection;
  }

  /** Whether the connection has ended for good. */
  get isClosed(): boolean {
    return this.#connection?.isClosed() ?? false;
  }

  /** Stops waiting for the first connection. A stopping process calls it before `close`. */
  stopWaiting(): void {
    this.#pending?.stopReconnecting();
  }

  /** Closes the connection. Pending messages are sent first if the server is there. */
  async close(): Promise<void> {
    this.stopWaiting();
    if (this.#connection) await closeBus(this.#connection, this.#lostAt === Infinity);
  }

  /**
   * Sends `input` to the service of `request` and resolves to its parsed answer. An unanswered read is sent once
   * more, to any replica. A write is not, because it may have been done; its client repeats it under the same
   * idempotency key.
   *
   * @throws Refusal of the service; `unavailable` when no replica takes the request, `timeout` when none answers in
   * time.
   */
  async ask<R extends Request>(
    request: R,
    input: Input<R>,
    { caller, timeoutMs = longestMs }: AskOptions = {},
  ): Promise<Output<R>> {
    const { subject, semantics } = request;
    const isWrite = semantics !== 'safe';
    const left = remainingMs(timeoutMs);
    // A call needs at least 2 ms: timers count whole milliseconds and may fire one early.
    if (left < 2) throw new Refusal('timeout', `${request.service} did not answer in time.`);
    const endsAt = performance.now() + left;
    const body = JSON.stringify(input);
    const key = isWrite ? idempotencyKey() : undefined;
    const work = async (trace: Record<string, string>) => {
      const send = (isRetry: boolean): Promise<Msg> => {
        const budget = Math.max(1, Math.floor(endsAt - performance.now()));
        const headers = toHeaders({
          ...trace,
          [header.budget]: String(budget),
          [header.deadline]: String(Date.now() + budget),
          ...(caller && { [header.caller]: JSON.stringify(caller) }),
          ...(key !== undefined && { [header.key]: key }),
          ...(isRetry && { [header.retry]: '1' }),
          ...(readsCurrent() && { [header.current]: '1' }),
        });
        return this.connection.request(subject, body, { timeout: budget, headers });
      };
      const outgoing: Outgoing = { request, endsAt, isWrite, send };
      const answered = isWrite ? this.#sendUntilTaken(outgoing) : this.#read(outgoing);
      const answer = await answered.catch((error: unknown) => {
        throw unanswered(request, error);
      });
      return request.output.parse(readAnswer(answer)) as Output<R>;
    };
    return withRequestSpan(request, work, (error) => (error instanceof Refusal ? error.code : 'internal'));
  }

  /**
   * Sends a second try of the read when the first has no answer after `retryAfterMs`. NATS chooses its
   * replica at random, so a frozen one may get both.
   */
  async #read(outgoing: Outgoing): Promise<Msg> {
    const first = this.#sendUntilTaken(outgoing);
    const left = outgoing.endsAt - performance.now();
    const early = await settledWithin(first, Math.min(retryAfterMs, left / 2)).catch((error: unknown) => {
      if (!(error instanceof ConnectionLost)) throw error;
    });
    if (early) return early;
    if (this.#retries >= maxRetries) return first;
    this.#retries += 1;
    try {
      return await Promise.any([first, this.#sendUntilTaken(outgoing, true)]);
    } finally {
      this.#retries -= 1;
    }
  }

  /**
   * Sends until a replica takes the request, for as long as a restart takes. A request without a responder, or with a
   * busy refusal, was not begun. Sending it again repeats no effect, even for a write.
   */
  async #sendUntilTaken(outgoing: Outgoing, isRetry = false): Promise<Msg> {
    const { request, endsAt, isWrite, send } = outgoing;
    const { service } = request;
    const within = restartMs[isWrite ? 'write' : 'read'];
    let busySince: number | undefined;
    for (let pauseMs = backoffMs.first; ; pauseMs = Math.min(2 * pauseMs, backoffMs.longest)) {
      await this.#untilConnected(endsAt, isWrite);
      let refused: { readonly error: unknown } | { readonly answer: Msg };
      let since: number;
      try {
        const answer = await connectionStatus(this.connection).unlessLost(() => send(isRetry));
        this.#awaySince.delete(service);
        if (!wasNotBegun(answer)) return answer;
        since = busySince ??= performance.now();
        refused = { answer };
      } catch (error) {
        if (!isNoResponders(error)) throw error;
        since = this.#awaySince.get(service) ?? performance.now();
        this.#awaySince.set(service, since);
        refused = { error };
      }
      const waitMs = pauseMs * (1 + Math.random());
      const isOver = performance.now() + waitMs > Math.min(endsAt, since + within);
      if (isOver || this.#backoffs >= maxBackoffs) {
        if ('error' in refused) throw refused.error;
        return refused.answer;
      }
      this.#backoffs += 1;
      await pause(waitMs);
      this.#backoffs -= 1;
    }
  }

  /**
   * Waits for a connection that was just lost, because the client drops messages that it gets while disconnected.
   * `until` is a time of `performance.now()`.
   *
   * @throws Refusal `unavailable` when the connection stays lost.
   */
  async #untilConnected(until: number, isWrite: boolean): Promise<void> {
    while (this.#lostAt !== Infinity) {
      const expectedBy = this.#lostAt + restartMs[isWrite ? 'write' : 'read'];
      const left = Math.min(expectedBy, until) - performance.now();
      if (left < 1) throw busUnavailable();
      const { changes } = connectionStatus(this.connection);
      await once(changes, 'back', { signal: AbortSignal.timeout(Math.floor(left)) }).catch(() => undefined);
    }
  }

  #use(connection: NatsConnection): void {
    this.#connection = connection;
    this.#lostAt = Infinity;
    // Registers its listener before all others, so that they see the new state of the connection here.
    connectionStatus(connection)
      .changes.on('lost', () => {
        this.#lostAt = Math.min(this.#lostAt, performance.now());
      })
      .on('back', () => {
        this.#lostAt = Infinity;
      });
  }
}

/** Resolves like `work`, or to undefined after `ms` milliseconds. */
async function settledWithin<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  // Nearly every request ends in time: `AbortSignal.timeout` would create an error with a stack for each.
  const timer = setTimeout(() => late.resolve(undefined), ms);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

const busUnavailable = () => new Refusal('unavailable', 'The message bus is not available right now.');

/** Whether NATS answered that the service has no responders. */
export function isNoResponders(error: unknown): boolean {
  const cause = error instanceof RequestError && error.cause ? error.cause : error;
  return cause instanceof NoRespondersError || (error instanceof RequestError && error.isNoResponders());
}

/** The refusal for a request without an answer. With two tries the error of the first counts. */
function unanswered(request: Request, thrown: unknown): unknown {
  const error: unknown = thrown instanceof AggregateError ? thrown.errors[0] : thrown;
  if (error instanceof Refusal) return error;
  const cause = error instanceof RequestError && error.cause ? error.cause : error;
  if (isNoResponders(error))
    return new Refusal('unavailable', `${request.service} is not available right now.`);
  if (cause instanceof TimeoutError)
    return new Refusal('timeout', `${request.service} did not answer in time.`);
  return busUnavailable();
}
