const size = 2 ** 19;

/**
 * What keys still owed when they had to make room for others, in a fixed room of 8 MB that is taken when the first one goes.
 * Each key has two places, and a place keeps the greatest debt of those that share it: the smaller of the two is never less
 * than the key owed, and seldom more.
 */
export class EvictedDebts {
  #rows: Float64Array[] | undefined;

  /** @param digest of the key, in base64url, of 12 characters at least. @param paidAt When it is paid off. */
  add(digest: string, paidAt: number): void {
    for (const [row, place] of placesOf(digest).entries()) this.#raise(row, place, paidAt);
  }

  /** When the key is paid off; 0 where it owed nothing. */
  paidAt(digest: string): number {
    const rows = this.#rows;
    return rows ? Math.min(...placesOf(digest).map((place, row) => rows[row]?.[place] ?? 0)) : 0;
  }

  /**
   * The places that owe something here or in `others`, by the names that `raise` reads: for another replica, which has the
   * same ones.
   */
  *places(others: EvictedDebts): Generator<[name: string, paidAt: number]> {
    for (const row of [0, 1]) {
      const [here, there] = [this.#rows?.[row], others.#rows?.[row]];
      for (let place = 0; (here ?? there) && place < size; place += 1) {
        const paidAt = Math.max(here?.[place] ?? 0, there?.[place] ?? 0);
        if (paidAt > 0) yield [`#${row}.${place}`, paidAt];
      }
    }
  }

  /** Keeps at least this debt in the place of this name. */
  raise(name: string, paidAt: number): void {
    const [, row = 0, place = size] = (placeName.exec(name) ?? []).map(Number);
    if (place < size) this.#raise(row, place, paidAt);
  }

  #raise(row: number, place: number, paidAt: number): void {
    this.#rows ??= [new Float64Array(size), new Float64Array(size)];
    const debts = this.#rows[row];
    if (debts) debts[place] = Math.max(debts[place] ?? 0, paidAt);
  }
}

const placeName = /^#([01])[.](\d{1,6})$/;

/** Whether a name is one of a place. No digest has its first character. */
export const isPlace = (name: string): boolean => placeName.test(name);

function placesOf(digest: string): number[] {
  const bytes = Buffer.from(digest, 'base64url');
  return [bytes.readUInt32LE(0) % size, bytes.readUInt32LE(4) % size];
}
