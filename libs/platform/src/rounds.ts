import { withBudget } from '@stoa/messaging';
import { metrics, observeTogether } from '@stoa/telemetry';

export interface RoundTimes {
  /** The pause between two rounds, as long as it can be. */
  readonly everyMs: number;
  /** How long a round may last: then its signal is aborted and its statements are cancelled. Five minutes by default. */
  readonly withinMs?: number;
  /** How long a round may take to end after that, before it is abandoned. Ten seconds by default. */
  readonly graceMs?: number;
}

const usualMs = { within: 300_000, grace: 10_000 };
/** For which a shutdown waits for the round under way: the other parts of the process need some of its 35 s. */
const stopMs = 20_000;

/**
 * The rounds of one worker. Each has a deadline: a round that hangs is abandoned, and the next one comes. Two gauges show that
 * the worker is alive, and an alert stands on them. A shutdown aborts the round under way and waits for it, but not for ever.
 */
export class Rounds {
  readonly #name: string;
  readonly #times: Required<RoundTimes>;
  readonly #stopping = new AbortController();
  #underWay: Promise<void> | undefined;
  #lastFinished = performance.now();
  #unobserve: () => void = () => undefined;

  /** @param name What the worker is called where it is measured. */
  constructor(name: string, { everyMs, withinMs = usualMs.within, graceMs = usualMs.grace }: RoundTimes) {
    this.#name = name;
    this.#times = { everyMs, withinMs, graceMs };
  }

  /** Aborted when the application stops. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Measures from now on. */
  start(): void {
    this.#lastFinished = performance.now();
    const gauges = { age: metrics.workerAge, overdue: metrics.workerOverdue };
    this.#unobserve = observeTogether(gauges, async () => this.#liveness(), {
      'stoa.worker.name': this.#name,
    });
  }

  /**
   * Runs a round, or waits for the one under way.
   *
   * @throws what the round throws, or an error when it is abandoned.
   */
  run(round: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.#underWay ??= this.#within(round).finally(() => (this.#underWay = undefined));
    return this.#underWay;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#unobserve();
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, stopMs);
    await Promise.race([this.#underWay?.catch(() => undefined), late.promise]);
    clearTimeout(timer);
  }

  async #within(round: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { withinMs, graceMs } = this.#times;
    const late = new AbortController();
    const abandoned = Promise.withResolvers<never>();
    const reason = new Error(`the round of ${this.#name} did not end within ${withinMs + graceMs} ms`);
    const timers = [
      setTimeout(() => late.abort(reason), withinMs),
      setTimeout(() => abandoned.reject(reason), withinMs + graceMs),
    ];
    const signal = AbortSignal.any([late.signal, this.#stopping.signal]);
    try {
      await Promise.race([withBudget(0, () => round(signal), withinMs), abandoned.promise]);
      this.#lastFinished = performance.now();
    } finally {
      for (const timer of timers) clearTimeout(timer);
    }
  }

  #liveness() {
    const { everyMs, withinMs, graceMs } = this.#times;
    const age = (performance.now() - this.#lastFinished) / 1000;
    // Two pauses, since one round may fail for a reason that is over with the next.
    return { age, overdue: Math.max(0, age - (2 * everyMs + withinMs + graceMs) / 1000) };
  }
}
