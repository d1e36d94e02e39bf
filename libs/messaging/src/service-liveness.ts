import { type MsgHdrs, type NatsConnection, NoRespondersError, RequestError } from '@nats-io/transport-node';
import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { ConnectionLost, type ConnectionStatus, connectionStatus } from './connection-status.ts';
import { Refusal } from './refusal.ts';
import type { SendingClock } from './request-ages.ts';
import { header, toHeaders } from './wire.ts';

/** Where one of a service's replicas says at once, whatever it works on, that it is there: what the release before asks. */
export const pingSubject = (service: string): string => `rpc.${service}.ping`;

/** Where all replicas of a service say which of the requests that they are asked about are in their hands. */
export const replicasSubject = (service: string): string => `replicas.${service}`;

/** Where one of them says that it is there: NATS knows at once when it is not. */
export const replicaSubject = (service: string, replica: string): string =>
  `${pingSubject(service)}.${replica}`;

/** Where one of them takes any request of its service, for who knows that another one hangs. */
export const addressedSubject = (service: string, replica: string, name: string): string =>
  `rpc.${service}.at.${replica}.${name}`;

/** Where a replica says its name before it takes its first request. Only the service itself may. */
export const joinedSubject = (service: string): string => `${replicasSubject(service)}.joined`;

/** Where a replica says its name when it leaves with nothing in hand. Only the service itself may. */
export const leftSubject = (service: string): string => `${replicasSubject(service)}.left`;

/** What a replica answers of the ids that it is asked about. */
export const ReplicaAnswer = z.object({
  replica: z.string().regex(/^[\w-]{1,64}$/),
  holds: z.array(z.string()),
});

/** Silence after which a service counts as hung: longer than an overloaded machine keeps a process waiting. */
const silenceMs = 2500;
const confirmMs = 500;
const betweenPingsMs = 400;
/** For so long a service that has gone is expected back: a restart takes less, and longer nobody should be kept waiting. */
const returnsWithinMs = 3000;
const betweenReturnLooksMs = 100;
/** For so long an outage of what is behind a service is met by asking again: nobody waits longer for a write. */
const outageEndsWithinMs = 5000;
const betweenOutageLooksMs = 300;
/** For so long the replicas of a service may answer: moments, where a processor is free. */
const surveyMs = 300;
/** Before what is in nobody's hands is looked for once more. */
const confirmLossMs = 100;
/** Between two looks at who is there, so that one that dies has been known. */
const betweenSurveysMs = 5000;

/** For so long after NATS is back, silence does not say that somebody died: not all are back as soon as we are. */
const othersReturnMs = 1000;

/** For how long one that died may be why a request is not in anybody's hands: longer than any request waits. */
const lossCountsMs = 30_000;
/** Of so many requests a replica is asked at once: whoever asks thousands is overloaded, and no replica lost. */
const mostAsked = 200;
/** Replicas of one service: a name that it makes up must not become a question for ever. */
const mostReplicas = 200;
/** Names of those that left, which what they said before may still follow. */
const mostLeft = 100;

type State = 'alive' | 'hung' | 'gone';

interface Survey {
  readonly asked: ReadonlySet<string>;
  /** Those of them that a replica has in hand. */
  readonly held: ReadonlySet<string>;
  /** Whether a replica died lately or hangs, and all others have answered. */
  readonly hasLoss: boolean;
}

/** Of a service away, or of a release that does not know the question. */
const nothingKnown: Survey = { asked: new Set(), held: new Set(), hasLoss: false };

/**
 * Whether one service answers at all, asked while somebody waits for it. A service that hangs is asked nothing until it
 * answers again, so that who needs only others keeps their time.
 */
export class ServiceLiveness {
  readonly #connection: NatsConnection;
  readonly #status: ConnectionStatus;
  readonly #service: string;
  readonly #clock: SendingClock;
  #probe: Promise<State> | undefined;
  /** Replicas that have answered, and since when each has been silent: 0 for one that answered last time. */
  readonly #replicas = new Map<string, number>();
  readonly #left = new Set<string>();
  readonly #waiting = new Set<string>();
  #survey: Promise<Survey> | undefined;
  #lossAt = -Infinity;
  #answeredOnce = false;
  #hung = false;
  #hungSince = Infinity;
  #answeredAt = -Infinity;
  #foundGoneAt = -Infinity;
  #isReturnAwaited = false;
  #goneSince = Infinity;
  #outageSince = Infinity;

  constructor(connection: NatsConnection, service: string, clock: SendingClock) {
    this.#connection = connection;
    this.#status = connectionStatus(connection);
    this.#service = service;
    this.#clock = clock;
    // The server of a release before may know no such subject: then one is met when it is asked, and counts as lost when it leaves.
    const hear = (subject: string, take: (replica: string) => void) =>
      connection.subscribe(subject, { callback: (error, message) => void (error ?? take(message.string())) });
    hear(joinedSubject(service), (replica) => this.#meet(replica));
    hear(leftSubject(service), (replica) => this.#sayGoodbye(replica));
    void this.#ping();
    void this.#meetReplicas();
  }

  /**
   * A replica that answers, while another one hangs to which NATS would deal as many requests; undefined while none does, and
   * whoever is free may be asked.
   */
  get awake(): string | undefined {
    const replicas = [...this.#replicas];
    if (!replicas.some(([, since]) => isHung(since))) return undefined;
    const awake = replicas.filter(([, since]) => since === 0);
    return awake.length > 0 ? awake[randomInt(awake.length)]?.[0] : undefined;
  }

  /** @throws Refusal `unavailable` while the service hangs. */
  requireAlive(): void {
    if (this.#hung) throw this.#refusal();
  }

  /**
   * Waits for a service that hangs, as long as one that stops for a moment does. Until when is by `performance.now()`.
   *
   * @throws Refusal `unavailable` when it hangs for longer.
   */
  async untilAlive(until: number): Promise<void> {
    const givenUpAt = () => Math.min(until, this.#hungSince + returnsWithinMs);
    while (this.#hung && performance.now() < givenUpAt()) await pause(betweenReturnLooksMs);
    this.requireAlive();
  }

  /** Notes an answer: with one that says nothing of an outage behind the service, the last one is over. */
  noteAnswer(isOutage: boolean): void {
    this.#outageSince = isOutage ? Math.min(this.#outageSince, performance.now()) : Infinity;
  }

  /** Waits a moment for the end of an outage: false once that has lasted too long, or `until` is over. */
  async mayBeOver(until: number): Promise<boolean> {
    const now = performance.now();
    const pauseMs = betweenOutageLooksMs + randomInt(betweenOutageLooksMs / 2);
    if (now + pauseMs > Math.min(until, this.#outageSince + outageEndsWithinMs)) return false;
    await pause(pauseMs);
    return true;
  }

  /**
   * Waits for a service that took nothing at the moment `since`: true once it is there, false when it never was, stays away
   * for longer than a restart takes, or `until` is over. Both by `performance.now()`.
   */
  async comesBack(since: number, until: number): Promise<boolean> {
    const restarted = () => Math.min(since, this.#goneSince) + returnsWithinMs;
    while (this.#answeredOnce && performance.now() < Math.min(until, restarted())) {
      await pause(betweenReturnLooksMs);
      const state = await this.#ping();
      if (state !== 'gone') return state === 'alive' && performance.now() < until;
    }
    return false;
  }

  /**
   * Resolves to what is to be said of it once no replica that lives has the request `id`, whose answer nobody will give.
   *
   * @param isKept Whether it is waited for while the service hangs as a whole: when that goes on, it does the request too.
   * @throws Refusal `unavailable` once the service hangs as a whole, for a request that is not kept.
   */
  async whenLost(id: string, signal: AbortSignal, isKept = false): Promise<Refusal> {
    let gone = 0;
    let lost = 0;
    this.#waiting.add(id);
    try {
      while (!signal.aborted) {
        const [state, survey] = await Promise.all([this.#ping(), this.#surveyOnce()]);
        if (state === 'hung' && !isKept) throw this.#refusal();
        // One that stops takes nothing new and still answers what it has in hand.
        gone = state === 'gone' ? gone + 1 : 0;
        // Twice: a request or its answer may be on its way at the first time.
        lost = survey.hasLoss && survey.asked.has(id) && !survey.held.has(id) ? lost + 1 : 0;
        if (gone === 2 || lost === 2) return this.#refusal();
        await pause(lost ? confirmLossMs : betweenPingsMs, undefined, { signal }).catch(() => undefined);
      }
    } finally {
      this.#waiting.delete(id);
    }
    return new Promise<never>(() => undefined);
  }

  #refusal(): Refusal {
    return new Refusal('unavailable', `${this.#service} is not available right now.`);
  }

  /** One at a time, for all who wait. */
  #ping(): Promise<State> {
    this.#probe ??= this.#askOnce().finally(() => (this.#probe = undefined));
    return this.#probe;
  }

  /** One at a time, for all who wait; who began to wait since is asked about by the next one. */
  #surveyOnce(): Promise<Survey> {
    this.#survey ??= this.#status
      .unlessLost(() => this.#askReplicas())
      .catch(() => nothingKnown)
      .finally(() => (this.#survey = undefined));
    return this.#survey;
  }

  /**
   * Asks all replicas which requests they have in hand. One that none of them has was lost with a replica that died, or
   * waits in one that hangs: NATS deals requests to either, and says nothing of it.
   */
  async #askReplicas(): Promise<Survey> {
    const asked = [...this.#waiting].slice(0, mostAsked);
    const held = new Set<string>();
    const answered = new Set<string>();
    const answers = await this.#connection.requestMany(
      replicasSubject(this.#service),
      JSON.stringify(asked),
      { strategy: 'timer', maxWait: surveyMs, headers: this.#dated() },
    );
    for await (const answer of answers) {
      const { replica, holds } = ReplicaAnswer.parse(answer.json());
      answered.add(replica);
      this.#notePresent(replica);
      for (const id of holds) held.add(id);
    }
    const silent = [...this.#replicas].filter(([replica]) => !answered.has(replica));
    await Promise.all(silent.map(([replica, since]) => this.#askSilent(replica, since)));
    // One that answered too late may have had any of them in hand.
    const isUndecided = silent.some(([replica]) => {
      const since = this.#replicas.get(replica);
      return since !== undefined && !isHung(since);
    });
    const hasLoss =
      performance.now() - this.#lossAt < lossCountsMs || [...this.#replicas.values()].some(isHung);
    return { asked: new Set(asked), held, hasLoss: answered.size > 0 && hasLoss && !isUndecided };
  }

  /** One that died has no responder, one that is slow or hangs has. */
  async #askSilent(replica: string, silentSince: number): Promise<void> {
    const now = performance.now();
    try {
      await this.#connection.request(replicaSubject(this.#service, replica), '', { timeout: surveyMs });
      this.#notePresent(replica);
    } catch (error) {
      if (this.#left.has(replica) || !this.#status.isConnected || this.#status.settledMs < othersReturnMs)
        return;
      this.#replicas.set(replica, silentSince || now);
      if (!isNoResponders(error)) return;
      this.#replicas.delete(replica);
      this.#lossAt = now;
    }
  }

  /** What was dealt to one that was silent may have been swallowed by its wire: it says whether it has it. */
  #notePresent(replica: string): void {
    if (this.#left.has(replica)) return;
    if (!this.#replicas.has(replica)) return this.#meet(replica);
    if (this.#replicas.get(replica)) this.#lossAt = performance.now();
    this.#replicas.set(replica, 0);
  }

  #meet(replica: string): void {
    if (this.#replicas.size < mostReplicas && ReplicaAnswer.shape.replica.safeParse(replica).success)
      this.#replicas.set(replica, 0);
  }

  /** One that leaves has answered all that it had in hand: nothing is lost with it. */
  #sayGoodbye(replica: string): void {
    this.#replicas.delete(replica);
    this.#left.add(replica);
    const [first] = this.#left;
    if (first && this.#left.size > mostLeft) this.#left.delete(first);
  }

  async #askOnce(): Promise<State> {
    const since = performance.now();
    try {
      await this.#status.unlessLost(() => this.#askTwice());
      this.#answeredOnce = true;
      this.#answeredAt = performance.now();
      this.#setHung(false);
      this.#goneSince = Infinity;
      return 'alive';
    } catch (error) {
      // Nothing is known of it, and it is asked anew as soon as somebody wants to know.
      if (error instanceof ConnectionLost) return 'alive';
      if (!this.#answeredOnce || this.#answeredAt > since) return 'alive';
      if (isNoResponders(error)) {
        this.#setHung(false);
        this.#foundGoneAt = performance.now();
        this.#goneSince = Math.min(this.#goneSince, performance.now());
        return 'gone';
      }
      // Asked before that, and swallowed by one that hung.
      if (this.#foundGoneAt > since) return 'gone';
      if (!this.#hung && !this.#connection.isClosed()) void this.#awaitReturn();
      return 'hung';
    }
  }

  #setHung(hung: boolean): void {
    this.#hung = hung;
    this.#hungSince = hung ? performance.now() : Infinity;
  }

  /**
   * All replicas at once, of which the first answers: one that hangs would take half of the questions with it, and the service
   * would count as hung. Who crashes takes the question with it, and is no longer there to be asked another one.
   */
  async #askTwice(): Promise<void> {
    const ask = (timeout: number) =>
      this.#connection.request(replicasSubject(this.#service), '[]', { timeout, headers: this.#dated() });
    try {
      await ask(silenceMs - confirmMs);
    } catch (error) {
      if (isNoResponders(error)) throw error;
      await ask(confirmMs);
    }
  }

  #dated(): MsgHdrs {
    return toHeaders({ [header.sent]: this.#clock.now() });
  }

  async #meetReplicas(): Promise<void> {
    while (!this.#connection.isClosed()) {
      // That nobody is there is noted before somebody comes, who would wait for it then.
      if ((await this.#surveyOnce()) === nothingKnown) await this.#ping();
      await pause(betweenSurveysMs, undefined, { ref: false });
    }
  }

  /** Asks again before the last question is given up: that one may have been swallowed, and the service be back since. */
  async #awaitReturn(): Promise<void> {
    this.#setHung(true);
    if (this.#isReturnAwaited) return;
    this.#isReturnAwaited = true;
    while (this.#hung && !this.#connection.isClosed()) {
      await pause(betweenPingsMs, undefined, { ref: false });
      void this.#askOnce();
    }
    this.#isReturnAwaited = false;
  }
}

const isHung = (silentSince: number) =>
  silentSince > 0 && performance.now() - silentSince > silenceMs - surveyMs;

/** Whether NATS answered that the service has no responders. */
export function isNoResponders(error: unknown): boolean {
  const cause = error instanceof RequestError && error.cause ? error.cause : error;
  return cause instanceof NoRespondersError || (error instanceof RequestError && error.isNoResponders());
}
