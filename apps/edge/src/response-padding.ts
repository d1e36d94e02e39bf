import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

export interface Clock {
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<unknown>;
  /** Anything from nothing up to this. */
  readonly random: (ms: number) => number;
}

const realClock: Clock = {
  now: () => performance.now(),
  pause: (ms) => pause(ms),
  random: (ms) => (randomInt(1_000_000) / 1_000_000) * ms,
};

/**
 * Holds answers until a whole number of steps has passed since the question, so that how long the work behind it took
 * tells next to nothing: what takes less than a step takes a step. Up to a fifth of one is added at random, among which the
 * few milliseconds are lost that a machine is slower by while it sends a mail.
 */
export class ResponsePadding {
  readonly #stepMs: number;
  readonly #clock: Clock;

  constructor(stepMs: number, clock: Clock = realClock) {
    this.#stepMs = stepMs;
    this.#clock = clock;
  }

  /** The moment of a question, to be handed to `until`. */
  begin(): number {
    return this.#clock.now();
  }

  /** Resolves some time after the next step after `begun`. */
  async until(begun: number): Promise<void> {
    const steps = Math.max(1, Math.ceil((this.#clock.now() - begun) / this.#stepMs));
    const due = begun + steps * this.#stepMs + this.#clock.random(this.#stepMs / 5);
    // A timer may fire a little early; nobody is answered before the step.
    for (let left = due - this.#clock.now(); left > 0; left = due - this.#clock.now())
      await this.#clock.pause(left);
  }
}
