import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

export interface Clock {
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<unknown>;
  /** A random number from 0 to `ms`. */
  readonly random: (ms: number) => number;
}

const realClock: Clock = {
  now: () => performance.now(),
  pause: (ms) => pause(ms),
  random: (ms) => (randomInt(1_000_000) / 1_000_000) * ms,
};

/**
 * Delays responses to a whole number of steps after their request, so that their time reveals little about the work. Random
 * jitter of up to a fifth of a step hides the few milliseconds that sending a mail costs.
 */
export class ResponsePadding {
  readonly #stepMs: number;
  readonly #clock: Clock;

  constructor(stepMs: number, clock: Clock = realClock) {
    this.#stepMs = stepMs;
    this.#clock = clock;
  }

  /** The time of a request, for `until`. */
  begin(): number {
    return this.#clock.now();
  }

  /** Resolves at the next step after `begun`, plus the jitter. */
  async until(begun: number): Promise<void> {
    const steps = Math.max(1, Math.ceil((this.#clock.now() - begun) / this.#stepMs));
    const due = begun + steps * this.#stepMs + this.#clock.random(this.#stepMs / 5);
    // A timer may fire slightly early, and no response may precede the step.
    for (let left = due - this.#clock.now(); left > 0; left = due - this.#clock.now())
      await this.#clock.pause(left);
  }
}
