/** Lines of one kind in a minute. */
const most = 20;
const minuteMs = 60_000;

/** Bounds what one kind of failure may write into the log: the first of a minute in full, then some in brief. */
export class LogLimit {
  readonly #kinds = new Map<string, { since: number; lines: number }>();

  /** Whether a line of this kind may be written; `first` where it is the first within a minute. Kinds are few: subjects. */
  take(kind: string): 'first' | 'further' | undefined {
    const now = performance.now();
    const known = this.#kinds.get(kind);
    if (!known || now - known.since >= minuteMs) {
      this.#kinds.set(kind, { since: now, lines: 1 });
      return 'first';
    }
    known.lines += 1;
    return known.lines <= most ? 'further' : undefined;
  }
}

/** What a thrown value says, in one line of the log. */
export const brief = (error: unknown): string => String(error).replace(/\s+/g, ' ').slice(0, 300);
