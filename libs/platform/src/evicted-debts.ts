const size = 2 ** 19;

/**
 * The debts of keys that were evicted, in 8 MB that are allocated with the first one. It works like a count-min sketch with
 * two rows: each key has a cell per row, and a cell keeps the greatest debt of its keys. The smaller of both cells is
 * never less than the debt of the key, and seldom more.
 */
export class EvictedDebts {
  #rows: Float64Array[] | undefined;

  /**
   * Keeps the rate-limit debt of an evicted key: the time until its earlier requests no longer count.
   *
   * @param digest The digest of the key in base64url, at least 12 characters.
   * @param paidAt When the key has no debt left. A later recorded time stays.
   */
  add(digest: string, paidAt: number): void {
    for (const [row, cell] of cellsOf(digest).entries()) this.#raise(row, cell, paidAt);
  }

  /** When the key's debt is paid off; 0 without a debt. */
  paidAt(digest: string): number {
    const rows = this.#rows;
    return rows ? Math.min(...cellsOf(digest).map((cell, row) => rows[row]?.[cell] ?? 0)) : 0;
  }

  /** The cells with a debt here or in `others`, by names that `raise` reads. Another replica has the same cells. */
  *cells(others: EvictedDebts): Generator<[name: string, paidAt: number]> {
    for (const row of [0, 1]) {
      const [here, there] = [this.#rows?.[row], others.#rows?.[row]];
      for (let cell = 0; (here ?? there) && cell < size; cell += 1) {
        const paidAt = Math.max(here?.[cell] ?? 0, there?.[cell] ?? 0);
        if (paidAt > 0) yield [`#${row}.${cell}`, paidAt];
      }
    }
  }

  /** Raises the debt in the cell of this name to at least `paidAt`. */
  raise(name: string, paidAt: number): void {
    const [, row = 0, cell = size] = (cellName.exec(name) ?? []).map(Number);
    if (cell < size) this.#raise(row, cell, paidAt);
  }

  #raise(row: number, cell: number, paidAt: number): void {
    this.#rows ??= [new Float64Array(size), new Float64Array(size)];
    const debts = this.#rows[row];
    if (debts) debts[cell] = Math.max(debts[cell] ?? 0, paidAt);
  }
}

const cellName = /^#([01])[.](\d{1,6})$/;

/** Whether a name is that of a cell. No digest contains its first character. */
export const isCell = (name: string): boolean => cellName.test(name);

function cellsOf(digest: string): number[] {
  const bytes = Buffer.from(digest, 'base64url');
  return [bytes.readUInt32LE(0) % size, bytes.readUInt32LE(4) % size];
}
