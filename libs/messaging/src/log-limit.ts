const linesPerMinute = 20;
const minuteMs = 60_000;

/** Limits the log lines of one kind of failure: the first of a minute in full, some more in brief. */
export class LogLimit {
  readonly #kinds = new Map<string, { since: number; lines: number }>();

  /** Whether a line of this kind may be written; `first` for the first of a minute. Kinds are a small set, such as subjects. */
  take(kind: string): 'first' | 'further' | undefined {
    const now = performance.now();
    const known = this.#kinds.get(kind);
    if (!known || now - known.since >= minuteMs) {
      this.#kinds.set(kind, { since: now, lines: 1 });
      return 'first';
    }
    known.lines += 1;
    return known.lines <= linesPerMinute ? 'further' : undefined;
  }
}

export const oneLine = (error: unknown): string => String(error).replace(/\s+/g, ' ').slice(0, 300);
