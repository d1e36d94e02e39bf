import { type Carrier, withTaskSpan } from '@stoa/telemetry';
import { Worker, type WorkerTimes } from '../worker.ts';
import type { DueRows } from './leases.ts';

/** The longest sleep, in milliseconds. It bounds the delay after a lost notification. */
const longestPauseMs = 60_000;
const firstRetryMs = 1000;

export interface DueWorkerOptions extends Pick<WorkerTimes, 'withinMs' | 'graceMs'> {
  readonly task: string;
  /** Milliseconds for which a row belongs to this replica. */
  readonly leaseMs: number;
}

/**
 * Handles the due rows of a table, one after the other. Then it sleeps until the next one is due, `DueNotices` wakes
 * it, or 30 to 60 seconds have passed.
 */
export abstract class DueWorker<Row> extends Worker {
  readonly #rows: DueRows<Row>;
  readonly #task: string;
  readonly #leaseMs: number;

  constructor(rows: DueRows<Row>, { task, leaseMs, ...times }: DueWorkerOptions) {
    super({ everyMs: longestPauseMs, retryMs: firstRetryMs, ...times }, rows.table);
    this.#rows = rows;
    this.#task = task;
    this.#leaseMs = leaseMs;
  }

  /**
   * Handles one row. It must not throw for a failure of this row, which would end the round and delay the other rows.
   *
   * @returns After a failure that concerns all rows: for how many milliseconds no row shall be tried.
   */
  protected abstract attempt(row: Row, signal: AbortSignal): Promise<number | void>;

  /** The trace context to which the trace of a row is linked. */
  protected originOf(_row: Row): Carrier {
    return {};
  }

  protected async round(signal: AbortSignal): Promise<number> {
    while (!signal.aborted) {
      // Reads the next due time before it takes a row. Otherwise it would miss a row that becomes due in
      // between.
      const nextMs = await this.#rows.nextDueMs();
      const row = await this.#rows.take(this.#leaseMs);
      if (!row) return Math.min(nextMs ?? Infinity, longestPauseMs * (0.5 + Math.random() / 2));
      const restMs = await withTaskSpan(this.#task, this.originOf(row), () => this.attempt(row, signal));
      if (restMs === undefined) continue;
      this.rest(restMs);
      return restMs;
    }
    return 0;
  }
}
