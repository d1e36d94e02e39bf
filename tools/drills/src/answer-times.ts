import { attributes, libraryMetrics, metrics } from '@stoa/telemetry';
import type { AnswerKind } from './longest-waits.ts';
import { type Point, TelemetryReceiver } from '@stoa/e2e/telemetry-receiver';
import { expect } from '@stoa/e2e/test';

/** How many calls of each kind are made, one after the other; each of them must be in time. */
export const rounds: Readonly<Record<AnswerKind, number>> = { page: 6, read: 3, write: 2 };

/** Makes one call, and settles when it is answered; `round` counts from 0. */
export type TimedCall = (round: number) => Promise<unknown>;

/** Whether a gateway's answers are late, by its own metrics, which do not count delays of a busy test machine. */
export class AnswerTimes {
  readonly #receiver = new TelemetryReceiver();

  static async listen(): Promise<AnswerTimes> {
    const waits = new AnswerTimes();
    await waits.#receiver.listen(0);
    return waits;
  }

  /** Settings of a gateway that exports its metrics to this receiver. */
  get settings(): Record<string, string> {
    return {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${this.#receiver.port}`,
      OTEL_TRACES_EXPORTER: 'none',
      OTEL_METRIC_EXPORT_INTERVAL: '500',
      OTEL_METRIC_EXPORT_TIMEOUT: '400',
    };
  }

  close(): void {
    this.#receiver.close();
  }

  /**
   * Makes all calls concurrently, several times, and fails if the gateway has ever counted a late answer of this
   * kind.
   *
   * @throws what a call throws.
   */
  async expectInTime(kind: AnswerKind, calls: Readonly<Record<string, TimedCall>>): Promise<void> {
    const made = Object.values(calls).map(async (call) => {
      for (let round = 0; round < rounds[kind]; round += 1) await call(round);
    });
    await Promise.all(made);
    // Waits for two exports, because the first one may have been collected before the last answer.
    const wanted = this.#receiver.exports + 2;
    await expect
      .poll(() => this.#receiver.exports, { message: 'messages about metrics', timeout: 60_000 })
      .toBeGreaterThanOrEqual(wanted);
    expect(this.#answered(), 'answers reported').toBeGreaterThan(0);
    expect(this.#late(kind), `${kind}s that waited too long`).toBe(0);
  }

  /** Answers of every kind. */
  #answered(): number {
    return this.#sum(({ name }) => name === libraryMetrics.httpServerDuration.name);
  }

  #late(kind: AnswerKind): number {
    return this.#sum(
      ({ name, attributes: labels }) =>
        name === metrics.answersLate.name && labels[attributes.answerKind] === kind,
    );
  }

  #sum(isMeant: (point: Point) => boolean): number {
    const points = [...this.#receiver.points.values()].filter(isMeant);
    return points.reduce((sum, { value }) => sum + value, 0);
  }
}
