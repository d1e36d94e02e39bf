import { type NatsConnection, NoRespondersError, RequestError } from '@nats-io/transport-node';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { Refusal } from './refusal.ts';

/** Where every service says at once, whatever it works on, that it is there. */
export const pingSubject = (service: string): string => `rpc.${service}.ping`;

/** Where all replicas of a service say which of the requests that they are asked about are in their hands. */
export const replicasSubject = (service: string): string => `replicas.${service}`;

/** Where one of them says that it is there: NATS knows at once when it is not. */
export const replicaSubject = (service: string, replica: string): string =>
  `${pingSubject(service)}.${replica}`;

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
/** For so long the replicas of a service may answer: moments, where a processor is free. */
const surveyMs = 300;
/** Before what is in nobody's hands is looked for once more. */
const confirmLossMs = 100;
/** Between two looks at who is there, so that one that dies has been known. */
const betweenSurveysMs = 5000;

/** For how long one that died may be why a request is not in anybody's hands: longer than any request waits. */
const lossCountsMs = 30_000;
/** Of so many requests a replica is asked at once: whoever asks thousands is overloaded, and no replica lost. */
const mostAsked = 200;
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
  readonly #service: string;
  #probe: Promise<State> | undefined;
  /** Replicas that have answered, and since when each has been silent: 0 for one that answered last time. */
  readonly #replicas = new Map<string, number>();
  readonly #left = new Set<string>();
  readonly #waiting = new Set<string>();
  #survey: Promise<Survey> | undefined;
  #lossAt = -Infinity;
  #answeredOnce = false;
  #hung = false;
  #goneSince = Infinity;

  constructor(connection: NatsConnection, service: string) {
    this.#connection = connection;
    this.#service = service;
    // The server of a release before knows no such subject: then each that leaves counts as lost.
    connection.subscribe(leftSubject(service), {
      callback: (error, message) => {
        if (!error) this.#sayGoodbye(message.string());
      },
    });
    void this.#ping();
    void this.#meetReplicas();
  }

  /** @throws Refusal `unavailable` while the service hangs. */
  requireAlive(): void {
    if (this.#hung) throw this.#refusal();
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
   * @throws Refusal `unavailable` once the service hangs as a whole.
   */
  async whenLost(id: string, signal: AbortSignal): Promise<Refusal> {
    let gone = 0;
    let lost = 0;
    this.#waiting.add(id);
    try {
      while (!signal.aborted) {
        const [state, survey] = await Promise.all([this.#ping(), this.#surveyOnce()]);
        if (state === 'hung') throw this.#refusal();
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
    this.#survey ??= this.#askReplicas()
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
      {
        strategy: 'timer',
        maxWait: surveyMs,
      },
    );
    for await (const answer of answers) {
      const { replica, holds } = ReplicaAnswer.parse(answer.json());
      answered.add(replica);
      if (!this.#left.has(replica)) this.#replicas.set(replica, 0);
      for (const id of holds) held.add(id);
    }
    const silent = [...this.#replicas].filter(([replica]) => !answered.has(replica));
    await Promise.all(silent.map(([replica, since]) => this.#askSilent(replica, since)));
    const isUndecided = [...this.#replicas.values()].some((since) => since && !isHung(since));
    const hasLoss =
      performance.now() - this.#lossAt < lossCountsMs || [...this.#replicas.values()].some(isHung);
    return { asked: new Set(asked), held, hasLoss: answered.size > 0 && hasLoss && !isUndecided };
  }

  /** One that died has no responder, one that is slow or hangs has. */
  async #askSilent(replica: string, silentSince: number): Promise<void> {
    const now = performance.now();
    try {
      await this.#connection.request(replicaSubject(this.#service, replica), '', { timeout: surveyMs });
      if (!this.#left.has(replica)) this.#replicas.set(replica, 0);
    } catch (error) {
      if (this.#left.has(replica)) return;
      this.#replicas.set(replica, silentSince || now);
      if (!isNoResponders(error)) return;
      this.#replicas.delete(replica);
      this.#lossAt = now;
    }
  }

  /** One that leaves has answered all that it had in hand: nothing is lost with it. */
  #sayGoodbye(replica: string): void {
    this.#replicas.delete(replica);
    this.#left.add(replica);
    const [first] = this.#left;
    if (first && this.#left.size > mostLeft) this.#left.delete(first);
  }

  async #askOnce(): Promise<State> {
    try {
      await this.#askTwice();
      this.#answeredOnce = true;
      this.#hung = false;
      this.#goneSince = Infinity;
      return 'alive';
    } catch (error) {
      if (!this.#answeredOnce) return 'alive';
      if (isNoResponders(error)) {
        this.#hung = false;
        this.#goneSince = Math.min(this.#goneSince, performance.now());
        return 'gone';
      }
      if (!this.#hung && !this.#connection.isClosed()) void this.#awaitReturn();
      return 'hung';
    }
  }

  /** Who crashes takes the question with it, and is no longer there to be asked another one. */
  async #askTwice(): Promise<void> {
    const ask = (timeout: number) => this.#connection.request(pingSubject(this.#service), '', { timeout });
    try {
      await ask(silenceMs - confirmMs);
    } catch (error) {
      if (isNoResponders(error)) throw error;
      await ask(confirmMs);
    }
  }

  async #meetReplicas(): Promise<void> {
    while (!this.#connection.isClosed()) {
      // That nobody is there is noted before somebody comes, who would wait for it then.
      if ((await this.#surveyOnce()) === nothingKnown) await this.#ping();
      await pause(betweenSurveysMs, undefined, { ref: false });
    }
  }

  async #awaitReturn(): Promise<void> {
    this.#hung = true;
    while (this.#hung && !this.#connection.isClosed()) {
      await pause(betweenPingsMs, undefined, { ref: false });
      await this.#ping();
    }
  }
}

const isHung = (silentSince: number) =>
  silentSince > 0 && performance.now() - silentSince > silenceMs - surveyMs;

/** Whether NATS answered that the service has no responders. */
export function isNoResponders(error: unknown): boolean {
  const cause = error instanceof RequestError && error.cause ? error.cause : error;
  return cause instanceof NoRespondersError || (error instanceof RequestError && error.isNoResponders());
}
