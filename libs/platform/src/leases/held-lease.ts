import type { LeasedRow, LeasedRows } from './leases.ts';

/** The lease of a row in work, renewed until `end`. */
export class HeldLease {
  readonly #lost = new AbortController();
  readonly #renewal: NodeJS.Timeout;
  #until: Date;
  #renewing: Promise<void> | undefined;

  constructor(
    rows: LeasedRows<LeasedRow>,
    { id, leasedUntil }: LeasedRow,
    leaseMs: number,
    warn: (line: string) => void,
  ) {
    this.#until = leasedUntil;
    const renew = async () => {
      const until = await rows.putOff({ id, leasedUntil: this.#until }, leaseMs);
      if (until) this.#until = until;
      else this.#lost.abort(new Error(`the lease of ${id} was lost`));
    };
    this.#renewal = setInterval(() => {
      this.#renewing ??= renew()
        .catch((error: unknown) => warn(`the lease of ${id} was not renewed: ${String(error)}`))
        .finally(() => (this.#renewing = undefined));
    }, leaseMs / 4);
  }

  /** Aborted when the row is deleted, or another statement has set its next try. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** @returns When the lease expires. */
  async end(): Promise<Date> {
    clearInterval(this.#renewal);
    await this.#renewing;
    return this.#until;
  }
}
