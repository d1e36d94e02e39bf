import { attributes, libraryMetrics, metrics } from '@stoa/telemetry';
import type { WaitedFor } from './longest-waits.ts';
import { type Point, TelemetryReceiver } from './telemetry-receiver.ts';
import { expect } from './test.ts';

/** So many calls of each kind are made, one after the other; every one of them has to be in time. */
export const rounds: Readonly<Record<WaitedFor, number>> = { page: 6, read: 3, write: 2 };

/** Asks something once, and settles when it is answered; `round` counts from 0. */
export type Ask = (round: number) => Promise<unknown>;

/** Whether a gateway's answers wait too long, as it counts that itself: none is late because a machine is busy. */
export class AnswerWaits {
  readonly #receiver = new TelemetryReceiver();

  static async listen(): Promise<AnswerWaits> {
    const waits = new AnswerWaits();
    await waits.#receiver.listen(0);
    return waits;
  }

  /** Settings of a gateway that tells of its answers here. */
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
   * Asks all of them side by side, some times over, and fails where the gateway has ever given an answer of this kind too late.
   *
   * @throws What a call throws.
   */
  async expectInTime(kind: WaitedFor, calls: Readonly<Record<string, Ask>>): Promise<void> {
    const asked = Object.values(calls).map(async (call) => {
      for (let round = 0; round < rounds[kind]; round += 1) await call(round);
    });
    await Promise.all(asked);
    // The first message after the last answer may have been on its way before it.
    const told = this.#receiver.exports + 2;
    await expect
      .poll(() => this.#receiver.exports, { message: 'messages about metrics', timeout: 60_000 })
      .toBeGreaterThanOrEqual(told);
    expect(this.#answered(), 'answers told of').toBeGreaterThan(0);
    expect(this.#late(kind), `${kind}s that waited too long`).toBe(0);
  }

  /** Of every kind. */
  #answered(): number {
    return this.#sum(({ name }) => name === libraryMetrics.httpServerDuration.name);
  }

  #late(kind: WaitedFor): number {
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
