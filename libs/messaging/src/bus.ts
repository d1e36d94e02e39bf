import type { Caller, Input, Output, Request, Semantics } from '@stoa/contracts';
import { withRequestSpan } from '@stoa/telemetry';
import { type Msg, type NatsConnection, nuid, RequestError, TimeoutError } from '@nats-io/transport-node';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { closeBus, PendingConnection } from './connection.ts';
import { connectionStatus } from './connection-status.ts';
import { readsCurrent } from './current-reads.ts';
import { type Document, readDocuments } from './documents.ts';
import { Refusal } from './refusal.ts';
import { SendingClock } from './request-ages.ts';
import { remainingMs } from './request-budget.ts';
import { addressedSubject, isNoResponders, ServiceLiveness } from './service-liveness.ts';
import type { RequestSigner } from './signed-request.ts';
import { type AskAgain, askAgainOf, header, readAnswer, throwRefusal, toHeaders } from './wire.ts';

/** So that no caller waits longer than 5 s, the way back included. */
const longestMs = 4800;
/** For so long NATS is expected back, and nobody should be kept waiting longer; a restart takes less than a second. */
const busReturnsWithinMs = { read: 1000, write: 3000 };
/** Before a write is asked again that somebody had in hand when NATS went. */
const inHandMs = 1000;
/** Longer than nearly every answer takes. After it, it is looked whether the service is there, and a read is tried again. */
const hedgeMs = 100;
/**
 * Pauses before the tries after that: NATS deals each to any replica, so that of two one that hangs gets every second one.
 * They grow, since a service that is slow must not be asked for ever more.
 */
const furtherMs = [300, 600];
/**
 * Pauses, each of them up to twice as long, before what a service had no place for is asked again: it was not begun. All that
 * waited for a part comes at once when that is back; who is busy for longer is not to be asked ever more.
 */
const busyMs = { read: [50, 100], write: [50, 100, 200, 400] };
/** Requests that wait for a place at once; under a load that lasts, asking again would be a multiple of it. */
const maxBusyWaits = 256;
/** Between two tries of a read after NATS is back: services come back one by one. */
const returnMs = 200;
/** Requests that are tried again at once: a slow service must not be given a multiple of the work. */
const maxHedges = 16;

export interface AskOptions {
  /** On whose behalf; services decide ownership by it. */
  readonly caller?: Caller | null | undefined;
  /** Milliseconds from the start of the request that this serves until the answer is given up; 4800 unless told. */
  readonly timeoutMs?: number;
}

/** An answer that is a refusal, and that another try may not get. */
class Unready extends Error {
  readonly answer: Msg;
  readonly why: AskAgain;
  /** By the clock of who asked. */
  readonly sentAs: string;

  constructor(answer: Msg, why: AskAgain, sentAs: string) {
    super(why);
    this.answer = answer;
    this.why = why;
    this.sentAs = sentAs;
  }
}

/** A request and all of its tries. */
interface Asked {
  readonly id: string;
  /** By `performance.now()`. */
  readonly endsAt: number;
  readonly semantics: Semantics;
  /** What somebody has typed is worth a wait; who only reads comes again by themselves. */
  readonly isWrite: boolean;
  /** Whether a try of it may have been begun, or done, by somebody whose answer is lost: each further one says so. */
  mayBeBegun: boolean;
  /** What is left of the pauses before it is asked again where there was no place. */
  readonly busyPausesMs: number[];
  readonly send: (isResend: boolean) => Promise<Msg>;
}

/** Asks other services, by contract. */
export class Bus {
  /** The connection once it is there, for those who start without it. Rejects when the process stops before. */
  readonly opened: Promise<NatsConnection>;
  readonly #pending: PendingConnection | undefined;
  readonly #signer: RequestSigner | undefined;
  #connection: NatsConnection | undefined;
  /** By `performance.now()`; `Infinity` while it is there, and long ago where it never was. */
  #lostAt = -Infinity;
  /** How often the connection was lost; what was asked before may never be answered. */
  #losses = 0;
  #hedges = 0;
  #busyWaits = 0;
  readonly #services = new Map<string, ServiceLiveness>();
  readonly #clock = new SendingClock();

  /** @param signer Without one nothing can be asked: no service takes a request that is not signed. */
  constructor(connection: NatsConnection | PendingConnection, signer?: RequestSigner) {
    this.#signer = signer;
    if (connection instanceof PendingConnection) {
      this.#pending = connection;
      this.opened = connection.opened;
      void connection.opened.then((open) => this.#use(open)).catch(() => undefined);
    } else {
      this.opened = Promise.resolve(connection);
      this.#use(connection);
    }
  }

  /** The connection itself, for JetStream and for health checks. @throws Refusal where it is not there yet. */
  get connection(): NatsConnection {
    if (!this.#connection) throw busUnavailable();
    return this.#connection;
  }

  /** Whether the connection ended, and no other comes. */
  get isClosed(): boolean {
    return this.#connection?.isClosed() ?? false;
  }

  /** Waits for NATS no longer where it was never there; called before `close`, by a process that stops. */
  stopWaiting(): void {
    this.#pending?.stopReconnecting();
  }

  /** Ends the connection, after what is on its way where the server is there. */
  async close(): Promise<void> {
    this.stopWaiting();
    if (this.#connection) await closeBus(this.#connection, this.#lostAt === Infinity);
  }

  /**
   * Sends `input` to the service that `request` names and resolves to its parsed answer.
   *
   * @throws Refusal of the service; `unavailable` when nobody listens, it hangs or dies, `timeout` when the time is over.
   */
  ask<R extends Request>(request: R, input: Input<R>, options: AskOptions = {}): Promise<Output<R>> {
    return this.#ask(
      request,
      input,
      options,
      (answer) => request.output.parse(readAnswer(answer)) as Output<R>,
    );
  }

  /** The same for a request with labels: resolves to the documents of its answer, to be handed on as they are. */
  askForDocuments<R extends Request>(
    request: R,
    input: Input<R>,
    options: AskOptions = {},
  ): Promise<Document[]> {
    return this.#ask(request, input, options, (answer) => {
      throwRefusal(answer);
      return readDocuments(request, answer);
    });
  }

  async #ask<R extends Request, T>(
    request: R,
    input: Input<R>,
    { caller, timeoutMs = longestMs }: AskOptions,
    read: (answer: Msg) => T,
  ): Promise<T> {
    const signer = this.#signer;
    if (!signer) throw new Error(`There is no key here to sign ${request.subject} with.`);
    const { semantics } = request;
    const isWrite = semantics !== 'safe';
    if (performance.now() >= this.#expectedBy(isWrite)) throw busUnavailable();
    const { connection } = this;
    const liveness = this.#liveness(connection, request.service);
    const left = remainingMs(timeoutMs);
    // What cannot end within it is not begun: timers may come a millisecond early, and count whole ones.
    if (left < 2) throw new Refusal('timeout', `${request.service} did not answer in time.`);
    const endsAt = performance.now() + left;
    if (isWrite) await liveness.untilAlive(endsAt);
    else liveness.requireAlive();
    const body = JSON.stringify(input);
    const id = nuid.next();
    const work = async (trace: Record<string, string>) => {
      const send = async (isResend: boolean): Promise<Msg> => {
        await this.#untilConnected(endsAt, isWrite);
        const left = Math.max(1, Math.floor(endsAt - performance.now()));
        const deadline = Date.now() + left;
        const sentAs = this.#clock.now();
        const { subject } = request;
        const signed = signer.sign({ subject, body, caller: caller ?? null, deadline });
        const carried = {
          ...trace,
          [header.id]: id,
          [header.budget]: String(left),
          [header.deadline]: String(deadline),
          [header.signed]: signed,
          [header.sent]: sentAs,
          ...(isResend && { [header.resend]: '1' }),
          ...(readsCurrent() && { [header.current]: '1' }),
        };
        const sent = { timeout: left, headers: toHeaders(carried) };
        const { awake } = liveness;
        const answer = await connection
          .request(
            awake ? addressedSubject(request.service, awake, request.name) : request.subject,
            body,
            sent,
          )
          .catch((error: unknown) => {
            // It has left or died since, or is of the release before.
            if (!awake || !isNoResponders(error)) throw error;
            return connection.request(request.subject, body, sent);
          });
        const why = askAgainOf(answer);
        // A read may be answered by a database that takes no writes, and other refusals without any.
        if (isWrite && (why === 'outage' || !answer.headers?.has(header.refusal)))
          liveness.noteAnswer(why === 'outage');
        if (why) throw new Unready(answer, why, sentAs);
        return answer;
      };
      const busyPausesMs = [...busyMs[isWrite ? 'write' : 'read']];
      const asked: Asked = { id, endsAt, semantics, isWrite, mayBeBegun: false, busyPausesMs, send };
      const answer = await this.#answer(asked, liveness).catch((error: unknown) => {
        if (error instanceof Unready) return error.answer;
        throw unanswered(request, error);
      });
      return read(answer);
    };
    return withRequestSpan(request, work, (error) => (error instanceof Refusal ? error.code : 'internal'));
  }

  /**
   * Sends what nobody took, or had a place for, once more when the service comes back soon, since it was not done, whatever it
   * asks for; and what met an outage behind the service, or looked late to it, where that may be.
   */
  async #answer(asked: Asked, liveness: ServiceLiveness): Promise<Msg> {
    let since: number | undefined;
    let lookedLate = false;
    for (;;) {
      try {
        return await this.#firstAnswer(asked, liveness);
      } catch (thrown) {
        const error = ofFirst(thrown);
        const unready = error instanceof Unready ? error : undefined;
        const why = unready?.why;
        if (unready && why === 'late' && !lookedLate) {
          // It is waited for here, so it was not: this process or its machine stood still, or the other one did.
          lookedLate = true;
          this.#clock.rename(unready.sentAs);
        } else if (why === 'busy') {
          if (!(await this.#mayHavePlace(asked))) throw error;
        } else if (why === 'outage' && asked.semantics === 'idempotent') {
          asked.mayBeBegun = true;
          if (!(await liveness.mayBeOver(asked.endsAt))) throw error;
        } else if (isNoResponders(error)) {
          since ??= performance.now();
          if (!(await liveness.comesBack(since, asked.endsAt))) throw error;
        } else throw error;
      }
    }
  }

  /** Waits a moment for a place: false once that has been tried often enough, many others wait, or its time would be over. */
  async #mayHavePlace({ busyPausesMs, endsAt }: Asked): Promise<boolean> {
    const pauseMs = (busyPausesMs.shift() ?? Infinity) * (1 + Math.random());
    if (this.#busyWaits >= maxBusyWaits || performance.now() + pauseMs > endsAt) return false;
    this.#busyWaits += 1;
    await pause(pauseMs);
    this.#busyWaits -= 1;
    return true;
  }

  async #firstAnswer(asked: Asked, liveness: ServiceLiveness): Promise<Msg> {
    const { semantics, send } = asked;
    const losses = this.#losses;
    const first = send(asked.mayBeBegun);
    const early = await before(first, hedgeMs);
    if (early) return early;
    const waiting = new AbortController();
    const { signal } = waiting;
    try {
      const hedges = semantics === 'safe' && this.#hedges < maxHedges;
      const tries = hedges ? [first, this.#hedge(send, signal)] : [first];
      const afterLoss = this.#askAfterLoss(asked, liveness, signal);
      const afterReconnect = this.#askAfterReconnect(losses, asked, signal);
      return await Promise.race([Promise.any(tries), afterLoss, afterReconnect]);
    } finally {
      waiting.abort();
    }
  }

  /** Asks once more what a replica took with it, where that is known again. */
  async #askAfterLoss(asked: Asked, liveness: ServiceLiveness, signal: AbortSignal): Promise<Msg> {
    // Given up sooner it would be done all the same when the service goes on, and come after what was written since.
    const refusal = await liveness.whenLost(asked.id, signal, asked.isWrite);
    if (asked.semantics === 'at-most-once' || performance.now() >= asked.endsAt) throw refusal;
    asked.mayBeBegun = true;
    return this.#answer(asked, liveness);
  }

  /** Asks again once a connection that was lost is back, where that may be done. Settles only after that. */
  async #askAfterReconnect(losses: number, asked: Asked, signal: AbortSignal): Promise<Msg> {
    const { semantics, send, endsAt, isWrite } = asked;
    const { changes } = connectionStatus(this.connection);
    if (this.#losses === losses) await once(changes, 'lost', { signal }).catch(() => undefined);
    if (!signal.aborted) await this.#untilConnected(endsAt, isWrite);
    while (!signal.aborted) {
      // Who had a write in hand may still answer once it is back too.
      const pauseMs = isWrite ? inHandMs : returnMs;
      await pause(pauseMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) break;
      if (semantics === 'at-most-once') throw busUnavailable();
      asked.mayBeBegun = true;
      const answer = await send(true).catch((error: unknown) => {
        if (!isNoResponders(error)) throw error;
      });
      if (answer) return answer;
    }
    return new Promise<never>(() => undefined);
  }

  /**
   * Waits for a connection that was lost a moment ago: what is handed to the client meanwhile is forgotten with its next try
   * to connect. Until when is by `performance.now()`.
   *
   * @throws Refusal `unavailable` when it stays away.
   */
  async #untilConnected(until: number, isWrite: boolean): Promise<void> {
    while (this.#lostAt !== Infinity) {
      const left = Math.min(this.#expectedBy(isWrite), until) - performance.now();
      if (left < 1) throw busUnavailable();
      const { changes } = connectionStatus(this.connection);
      await once(changes, 'back', { signal: AbortSignal.timeout(Math.floor(left)) }).catch(() => undefined);
    }
  }

  /** Until when a connection that was lost is waited for, by `performance.now()`; endless while it is there. */
  #expectedBy(isWrite: boolean): number {
    return this.#lostAt + busReturnsWithinMs[isWrite ? 'write' : 'read'];
  }

  async #hedge(send: (isResend: boolean) => Promise<Msg>, signal: AbortSignal): Promise<Msg> {
    this.#hedges += 1;
    try {
      const tries = [send(true)];
      for (const pauseMs of furtherMs) {
        const answer = await before(Promise.any(tries), pauseMs);
        if (answer) return answer;
        if (signal.aborted) break;
        tries.push(send(true));
      }
      return await Promise.any(tries);
    } finally {
      this.#hedges -= 1;
    }
  }

  #liveness(connection: NatsConnection, service: string): ServiceLiveness {
    const known = this.#services.get(service) ?? new ServiceLiveness(connection, service, this.#clock);
    this.#services.set(service, known);
    return known;
  }

  #use(connection: NatsConnection): void {
    this.#connection = connection;
    this.#lostAt = Infinity;
    // First of all who hear of it, so that they find it known here.
    connectionStatus(connection)
      .changes.on('lost', () => {
        this.#lostAt = Math.min(this.#lostAt, performance.now());
        this.#losses += 1;
      })
      .on('back', () => {
        this.#lostAt = Infinity;
      });
  }
}

/** What it resolves to, or undefined when it takes longer. */
async function before<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  // Nearly every request ends before: an aborted signal would make an error with a stack for each.
  const timer = setTimeout(() => late.resolve(undefined), ms);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Of two tries the error of the first counts: the second may have found no replica while a service stopped. */
const ofFirst = (error: unknown): unknown =>
  error instanceof AggregateError ? ofFirst(error.errors[0]) : error;

const busUnavailable = () => new Refusal('unavailable', 'The message bus is not available right now.');

function unanswered(request: Request, error: unknown): unknown {
  if (error instanceof Refusal) return error;
  const cause = error instanceof RequestError && error.cause ? error.cause : error;
  if (isNoResponders(error))
    return new Refusal('unavailable', `${request.service} is not available right now.`);
  if (cause instanceof TimeoutError)
    return new Refusal('timeout', `${request.service} did not answer in time.`);
  return busUnavailable();
}
