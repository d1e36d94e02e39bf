import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

export interface Clock {
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<unknown>;
  /** Returns a random number from 0 to `ms`. */
  readonly random: (ms: number) => number;
}

const realClock: Clock = {
  now: () => performance.now(),
  pause: (ms) => pause(ms),
  random: (ms) => (randomInt(1_000_000) / 1_000_000) * ms,
};

/**
 * Delays each response until a whole number of steps after its request, so that its time does not reveal whether an account
 * exists. Random jitter of up to a fifth of a step hides the few milliseconds of sending a mail.
 */
export class ResponsePadding {
  readonly #stepMs: number;
  readonly #clock: Clock;

  constructor(stepMs: number, clock: Clock = realClock) {
    this.#stepMs = stepMs;
    this.#clock = clock;
  }

  /** The current time, which the caller passes to `until`. */
  begin(): number {
    return this.#clock.now();
  }

  /** Waits until the next step after `begun`, plus the jitter. */
  async until(begun: number): Promise<void> {
    const steps = Math.max(1, Math.ceil((this.#clock.now() - begun) / this.#stepMs));
    const due = begun + steps * this.#stepMs + this.#clock.random(this.#stepMs / 5);
    // Repeats the pause, because a timer may fire slightly early.
    for (let left = due - this.#clock.now(); left > 0; left = due - this.#clock.now())
      await this.#clock.pause(left);
  }
}
