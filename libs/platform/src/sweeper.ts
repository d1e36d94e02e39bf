import { withTaskSpan } from '@stoa/telemetry';
import { type BeforeApplicationShutdown, Logger, type OnApplicationBootstrap } from '@nestjs/common';

/** When a sweeper works, in milliseconds: the pause before its first round and the one after each round. */
export interface SweepTimes {
  readonly firstMs: number;
  readonly everyMs: number;
}

/**
 * Does `sweep` again and again from the start of the application until it stops, one round after the other; stopping
 * tells the round that is under way and waits for it. Each round is a trace of its own. A round that throws is logged and
 * marks its trace as failed, and the next one comes after the usual pause.
 */
export abstract class Sweeper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #logger = new Logger(this.constructor.name);
  readonly #times: SweepTimes;
  readonly #stopping = new AbortController();
  #endPause: () => void = () => undefined;
  #isWoken = false;
  #running: Promise<void> | undefined;

  constructor(times: SweepTimes) {
    this.#times = times;
  }

  /** @param stopping Aborted when the application stops: the rest is left to the next start. */
  protected abstract sweep(stopping: AbortSignal): Promise<void>;

  /** Ends the pause, or leaves out the next one while a round is under way. */
  wake(): void {
    this.#isWoken = true;
    this.#endPause();
  }

  onApplicationBootstrap(): void {
    this.#running = this.#run();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#stopping.abort();
    this.#endPause();
    await this.#running;
  }

  async #run(): Promise<void> {
    for (let ms = this.#times.firstMs; await this.#paused(ms); ms = this.#times.everyMs) {
      await withTaskSpan('sweep', {}, () => this.#round()).catch(() => undefined);
    }
  }

  /** Whether the pause ended by itself, and not because the application stops. */
  async #paused(ms: number): Promise<boolean> {
    if (this.#stopping.signal.aborted) return false;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#endPause = resolve;
    const timer = setTimeout(resolve, this.#isWoken ? 0 : ms);
    await promise;
    clearTimeout(timer);
    this.#isWoken = false;
    return !this.#stopping.signal.aborted;
  }

  // Logged inside the task, so that the line carries its trace.
  async #round(): Promise<void> {
    try {
      await this.sweep(this.#stopping.signal);
    } catch (error) {
      this.#logger.warn(`sweeping failed, trying again later: ${String(error)}`);
      throw error;
    }
  }
}
