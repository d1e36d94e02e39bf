import { withTaskSpan } from '@stoa/telemetry';
import { type BeforeApplicationShutdown, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Rounds, type RoundTimes } from './rounds.ts';

/** When a sweeper works, in milliseconds: the pause before its first round and the one after each round. */
export interface SweepTimes extends RoundTimes {
  readonly firstMs: number;
}

/**
 * Does `sweep` again and again from the start of the application until it stops, one round after the other. Each round is a
 * trace of its own, and has a deadline (see `Rounds`). A round that fails is logged and marks its trace as failed, and the next
 * one comes after the usual pause.
 */
export abstract class Sweeper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #logger = new Logger(this.constructor.name);
  readonly #times: SweepTimes;
  readonly #rounds: Rounds;
  #endPause: () => void = () => undefined;
  #isWoken = false;

  constructor(times: SweepTimes) {
    this.#times = times;
    this.#rounds = new Rounds(this.constructor.name, times);
  }

  /** @param signal Aborted when the application stops, or the round has lasted too long: the rest is left to the next one. */
  protected abstract sweep(signal: AbortSignal): Promise<void>;

  /** Ends the pause, or leaves out the next one while a round is under way. */
  wake(): void {
    this.#isWoken = true;
    this.#endPause();
  }

  onApplicationBootstrap(): void {
    this.#rounds.start();
    void this.#run();
  }

  async beforeApplicationShutdown(): Promise<void> {
    const stopped = this.#rounds.stop();
    this.#endPause();
    await stopped;
  }

  async #run(): Promise<void> {
    for (let ms = this.#times.firstMs; await this.#paused(ms); ms = this.#times.everyMs)
      await withTaskSpan('sweep', {}, () => this.#round()).catch(() => undefined);
  }

  /** Whether the pause ended by itself, and not because the application stops. */
  async #paused(ms: number): Promise<boolean> {
    if (this.#rounds.stopping.aborted) return false;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#endPause = resolve;
    const timer = setTimeout(resolve, this.#isWoken ? 0 : ms);
    await promise;
    clearTimeout(timer);
    this.#isWoken = false;
    return !this.#rounds.stopping.aborted;
  }

  // Logged inside the task, so that the line carries its trace.
  async #round(): Promise<void> {
    try {
      await this.#rounds.run((signal) => this.sweep(signal));
    } catch (error) {
      this.#logger.warn(`sweeping failed, trying again later: ${String(error)}`);
      throw error;
    }
  }
}
