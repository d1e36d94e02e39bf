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
    this.#rows ??= [new Float64Array(size), new Float64Array(size)];
    for (const [row, place] of placesOf(digest).entries()) {
      const debts = this.#rows[row];
      if (debts) debts[place] = Math.max(debts[place] ?? 0, paidAt);
    }
  }

  /** When the key is paid off; 0 where it owed nothing. */
  paidAt(digest: string): number {
    const rows = this.#rows;
    return rows ? Math.min(...placesOf(digest).map((place, row) => rows[row]?.[place] ?? 0)) : 0;
  }
}

function placesOf(digest: string): number[] {
  const bytes = Buffer.from(digest, 'base64url');
  return [bytes.readUInt32LE(0) % size, bytes.readUInt32LE(4) % size];
}
