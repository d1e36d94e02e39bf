import { type NatsConnection, NoRespondersError, RequestError } from '@nats-io/transport-node';
import { setTimeout as pause } from 'node:timers/promises';
import { Refusal } from './refusal.ts';

/** Where every service says at once, whatever it works on, that it is there. */
export const pingSubject = (service: string): string => `rpc.${service}.ping`;

/** Silence after which a service counts as hung: longer than an overloaded machine keeps a process waiting. */
const silenceMs = 2500;
const confirmMs = 500;
const betweenPingsMs = 400;

type State = 'alive' | 'hung' | 'gone';

/**
 * Whether one service answers at all, asked while somebody waits for it. A service that hangs is asked nothing until it
 * answers again, so that who needs only others keeps their time.
 */
export class ServiceLiveness {
  readonly #connection: NatsConnection;
  readonly #service: string;
  #probe: Promise<State> | undefined;
  #answeredOnce = false;
  #hung = false;

  constructor(connection: NatsConnection, service: string) {
    this.#connection = connection;
    this.#service = service;
    void this.#ping();
  }

  /** @throws Refusal `unavailable` while the service hangs. */
  requireAlive(): void {
    if (this.#hung) throw this.#refusal();
  }

  /** Rejects with `unavailable` once no answer can be expected; never resolves. */
  async rejectWhenLost(signal: AbortSignal): Promise<never> {
    let gone = 0;
    while (!signal.aborted) {
      const state = await this.#ping();
      if (state === 'hung') throw this.#refusal();
      // One that stops takes nothing new and still answers what it has in hand.
      gone = state === 'gone' ? gone + 1 : 0;
      if (gone === 2) throw this.#refusal();
      await pause(betweenPingsMs, undefined, { signal }).catch(() => undefined);
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

  async #askOnce(): Promise<State> {
    try {
      await this.#askTwice();
      this.#answeredOnce = true;
      this.#hung = false;
      return 'alive';
    } catch (error) {
      if (!this.#answeredOnce) return 'alive';
      if (isNoResponders(error)) {
        this.#hung = false;
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

  async #awaitReturn(): Promise<void> {
    this.#hung = true;
    while (this.#hung && !this.#connection.isClosed()) {
      await pause(betweenPingsMs, undefined, { ref: false });
      await this.#ping();
    }
  }
}

/** Whether NATS answered that the service has no responders. */
export function isNoResponders(error: unknown): boolean {
  const cause = error instanceof RequestError && error.cause ? error.cause : error;
  return cause instanceof NoRespondersError || (error instanceof RequestError && error.isNoResponders());
}
