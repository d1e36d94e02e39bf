import { Logger } from '@nestjs/common';
import { Rounds, type RoundTimes } from './rounds.ts';

/**
 * A worker that does its rounds when it is woken, and at the latest after `everyMs`. A wake-up during a round is followed by
 * another round. Deadline, liveness and shutdown are those of `Rounds`; a round that fails is logged and tried again.
 */
export class WokenWorker {
  readonly #logger: Logger;
  readonly #rounds: Rounds;
  readonly #everyMs: number;
  readonly #round: (signal: AbortSignal) => Promise<void>;
  #timer: NodeJS.Timeout | undefined;
  #isWoken = false;
  #isWorking = false;

  constructor(name: string, times: RoundTimes, round: (signal: AbortSignal) => Promise<void>) {
    this.#logger = new Logger(name);
    this.#rounds = new Rounds(name, times);
    this.#everyMs = times.everyMs;
    this.#round = round;
  }

  start(): void {
    this.#rounds.start();
    this.#timer = setInterval(() => this.wake(), this.#everyMs);
    this.wake();
  }

  wake(): void {
    this.#isWoken = true;
    if (!this.#isWorking) void this.#work();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#rounds.stop();
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    while (this.#isWoken && !this.#rounds.stopping.aborted) {
      this.#isWoken = false;
      try {
        await this.#rounds.run(this.#round);
      } catch (error) {
        this.#logger.warn(`a round failed, trying again later: ${String(error)}`);
      }
    }
    this.#isWorking = false;
  }
}
