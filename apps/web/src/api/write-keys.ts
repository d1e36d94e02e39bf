interface Write {
  /** Its body and headers. */
  readonly what: string;
  readonly key: string;
  readonly at: number;
}

/** Within this time, the same write counts as a repeat. */
const repeatedWithinMs = 60_000;

/** Writes with an unknown outcome, by method and path. */
const open = new Map<string, Write>();

/**
 * Returns the idempotency key of a write. A write reuses the key of the last one to the same method and path
 * if that has the same content and no answer. So a repeat has no second effect, whether code or the user
 * repeats it.
 */
export function keyOfWrite(place: string, what: string): string {
  const last = open.get(place);
  const isRepeat = last?.what === what && Date.now() - last.at < repeatedWithinMs;
  const write = isRepeat ? last : { what, key: crypto.randomUUID(), at: Date.now() };
  open.set(place, write);
  return write.key;
}

/** Marks the write as answered: the next one gets a new key. */
export function endWrite(place: string): void {
  open.delete(place);
}
