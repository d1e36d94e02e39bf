import { withBudget } from '@stoa/messaging';
import { metrics, observeTogether } from '@stoa/telemetry';
import { type BeforeApplicationShutdown, Logger, type OnApplicationBootstrap } from '@nestjs/common';

/** When a worker works, in milliseconds. */
export interface WorkerTimes {
  /** The longest pause between two rounds. */
  readonly everyMs: number;
  /** The pause before the first round; none by default. */
  readonly firstMs?: number;
  /** The pause after a failed round, doubled with each further failure up to `everyMs`. By default it is `everyMs`. */
  readonly retryMs?: number;
  /** How long a round may last: then its signal is aborted and its statements are cancelled. Five minutes by default. */
  readonly withinMs?: number;
  /** How long a round may take to end after that, before it is abandoned. Ten seconds by default. */
  readonly graceMs?: number;
}

const defaultMs = { within: 300_000, grace: 10_000 };
/**
 * Longest wait of a shutdown for the current round in milliseconds: other steps of the shutdown need some of
 * the 35 s.
 */
const stopMs = 20_000;

/**
 * Works in rounds, one after the other, from the start of the application until it stops. The next round starts when the
 * worker is woken, when the last round requested it, and at the latest after `everyMs`. Each round has a deadline. A hanging
 * round is abandoned, and the next one starts. Two gauges show that the worker is alive; an alert uses them.
 */
export abstract class Worker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  protected readonly logger = new Logger(this.constructor.name);
  readonly #times: Required<WorkerTimes>;
  readonly #stopping = new AbortController();
  #underWay: Promise<unknown> | undefined;
  #lastFinished = performance.now();
  #failure: string | undefined;
  #isWoken = false;
  #restsUntil = -Infinity;
  #endPause: () => void = () => undefined;
  #unobserve: () => void = () => undefined;

  /** @param table The table whose due rows wake the worker: see `DueNotices`. */
  constructor(
    { everyMs, ...times }: WorkerTimes,
    readonly table?: string,
  ) {
    const { firstMs = 0, retryMs = everyMs, withinMs = defaultMs.within, graceMs = defaultMs.grace } = times;
    this.#times = { everyMs, firstMs, retryMs, withinMs, graceMs };
  }

  /**
   * One round.
   *
   * @param signal Aborted when the application stops, or the round has lasted too long: the rest is left to the next
   * one.
   * @returns In how many milliseconds the next round is due, if that is known.
   */
  protected abstract round(signal: AbortSignal): Promise<number | void>;

  onApplicationBootstrap(): void {
    this.#lastFinished = performance.now();
    const gauges = { age: metrics.workerAge, overdue: metrics.workerOverdue };
    this.#unobserve = observeTogether(gauges, async () => this.#liveness(), {
      'stoa.worker.name': this.constructor.name,
    });
    void this.#run();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#stopping.abort();
    this.#unobserve();
    this.#endPause();
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, stopMs);
    await Promise.race([this.#underWay?.catch(() => undefined), late.promise]);
    clearTimeout(timer);
  }

  /** Starts a round, or another one after the current round. */
  wake(): void {
    this.#isWoken = true;
    this.#endPause();
  }

  /** No round starts for `ms` after the current one, even when the worker is woken. */
  protected rest(ms: number): void {
    this.#restsUntil = performance.now() + ms;
  }

  /** Runs a round, including its log lines, in a trace of its own where a subclass provides one. */
  protected inTrace<T>(round: () => Promise<T>): Promise<T> {
    return round();
  }

  async #run(): Promise<void> {
    const { everyMs, firstMs, retryMs } = this.#times;
    for (let ms = firstMs, failures = 0; await this.#paused(ms);) {
      try {
        ms = (await this.inTrace(() => this.#logged())) ?? everyMs;
        failures = 0;
      } catch {
        ms = retryMs * 2 ** failures;
        failures += 1;
      }
    }
  }

  /** Whether the application still runs after the pause. */
  async #paused(ms: number): Promise<boolean> {
    const dueAt = performance.now() + Math.min(ms, this.#times.everyMs);
    while (!this.#stopping.signal.aborted) {
      const startsAt = this.#isWoken ? this.#restsUntil : Math.max(dueAt, this.#restsUntil);
      const leftMs = startsAt - performance.now();
      if (leftMs <= 0) break;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#endPause = resolve;
      const timer = setTimeout(resolve, leftMs);
      await promise;
      clearTimeout(timer);
    }
    this.#isWoken = false;
    return !this.#stopping.signal.aborted;
  }

  async #logged(): Promise<number | void> {
    try {
      const nextMs = await (this.#underWay = this.#withinTime());
      this.#lastFinished = performance.now();
      if (this.#failure !== undefined) this.logger.log('a round succeeded again');
      this.#failure = undefined;
      return nextMs;
    } catch (error) {
      const failure = String(error);
      // Logs an error once per outage, which may last for thousands of rounds.
      if (failure !== this.#failure) this.logger.warn(`a round failed, trying again later: ${failure}`);
      this.#failure = failure;
      throw error;
    } finally {
      this.#underWay = undefined;
    }
  }

  async #withinTime(): Promise<number | void> {
    const { withinMs, graceMs } = this.#times;
    const late = new AbortController();
    const abandoned = Promise.withResolvers<never>();
    const reason = new Error(
      `the round of ${this.constructor.name} did not end within ${withinMs + graceMs} ms`,
    );
    const timers = [
      setTimeout(() => late.abort(reason), withinMs),
      setTimeout(() => abandoned.reject(reason), withinMs + graceMs),
    ];
    const signal = AbortSignal.any([late.signal, this.#stopping.signal]);
    try {
      return await Promise.race([withBudget(0, () => this.round(signal), withinMs), abandoned.promise]);
    } finally {
      for (const timer of timers) clearTimeout(timer);
    }
  }

  #liveness() {
    const { everyMs, withinMs, graceMs } = this.#times;
    const age = (performance.now() - this.#lastFinished) / 1000;
    // Allows two pauses, because one round may fail for a transient reason.
    return { age, overdue: Math.max(0, age - (2 * everyMs + withinMs + graceMs) / 1000) };
  }
}
