import { DueWorker, type DueWorkerOptions } from './due-worker.ts';
import { HeldLease } from './held-lease.ts';
import type { LeasedRow, LeasedRows } from './leases.ts';

export interface LeaseWorkerOptions extends DueWorkerOptions {
  readonly row: string;
  /** The pause after the first failure, doubled with each further one up to `longestPauseMs`; 5 s and an hour by default. */
  readonly firstPauseMs?: number;
  readonly longestPauseMs?: number;
  /** Attempts after which a row is given up; by default none is. */
  readonly mostAttempts?: number;
}

/** A worker that renews its lease while it works on a row, and retries a failed one with growing pauses. */
export abstract class LeaseWorker<Row extends LeasedRow> extends DueWorker<Row> {
  readonly #rows: LeasedRows<Row>;
  readonly #options: Required<Omit<LeaseWorkerOptions, 'withinMs' | 'graceMs'>>;
  /** Rows whose work is done but not recorded yet, because the database was away. */
  readonly #done = new Set<Row>();

  constructor(
    rows: LeasedRows<Row>,
    {
      firstPauseMs = 5000,
      longestPauseMs = 3_600_000,
      mostAttempts = Infinity,
      ...options
    }: LeaseWorkerOptions,
  ) {
    super(rows, options);
    this.#rows = rows;
    this.#options = { ...options, firstPauseMs, longestPauseMs, mostAttempts };
  }

  /**
   * @param signal Aborted when the application stops, the round has lasted too long, or the lease is lost.
   * @returns In how many milliseconds the row is due again; undefined when it is done.
   */
  protected abstract work(row: Row, signal: AbortSignal): Promise<number | void>;

  /** Records that the work on a row is done. It is repeated until it succeeds, before another row is taken. */
  protected async complete(_row: Row): Promise<void> {}

  /** Whether a row is given up when this attempt fails. */
  protected isLast({ attempts }: Row): boolean {
    return attempts >= this.#options.mostAttempts;
  }

  protected async giveUp(_row: Row): Promise<void> {}

  /** Puts off a row after a failure. @returns For how many milliseconds no row shall be tried. */
  protected async failed(row: Row, error: unknown): Promise<number | void> {
    const { firstPauseMs, longestPauseMs } = this.#options;
    const { id, attempts } = row;
    const isLast = this.isLast(row);
    const what = isLast ? 'is given up' : 'waits';
    this.logger.warn(`${this.#options.row} ${id} ${what}, attempt ${attempts}: ${this.reasonOf(error)}`);
    if (isLast) await this.giveUp(row);
    else await this.#rows.putOff(row, Math.min(firstPauseMs * 2 ** (attempts - 1), longestPauseMs));
  }

  protected reasonOf(error: unknown): string {
    return String(error);
  }

  protected override async round(signal: AbortSignal): Promise<number> {
    await this.#completeDone();
    return super.round(signal);
  }

  protected async attempt(row: Row, signal: AbortSignal): Promise<number | void> {
    const lease = new HeldLease(this.#rows, row, this.#options.leaseMs, (line) => this.logger.warn(line));
    const working = this.work(row, AbortSignal.any([signal, lease.lost]));
    const [ended] = await Promise.allSettled([working]);
    const held = { ...row, leasedUntil: await lease.end() };
    if (ended.status === 'fulfilled') return this.#ended(held, ended.value);
    if (!signal.aborted) return this.failed(held, ended.reason);
    // Releases the lease at a stop, so that another replica continues immediately.
    await this.#rows.putOff(held, 0);
  }

  async #ended(row: Row, againMs: number | void): Promise<void> {
    if (againMs !== undefined) return void (await this.#rows.putOff(row, againMs));
    this.#done.add(row);
    await this.#completeDone();
  }

  async #completeDone(): Promise<void> {
    for (const row of this.#done) {
      await this.complete(row);
      this.#done.delete(row);
    }
  }
}
