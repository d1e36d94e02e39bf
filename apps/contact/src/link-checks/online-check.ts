/** Milliseconds for which an answer of any host proves that outgoing connections work. */
const freshMs = 60_000;
const rememberedMs = 3_600_000;
const mostHosts = 1000;
/** With results of fewer hosts, a majority of failures does not indicate a broken network. */
const minHosts = 10;

interface Seen {
  readonly at: number;
  readonly fails: boolean;
}

/**
 * Detects a broken internet connection of this system, during which failed checks do not count against links.
 */
export class OnlineCheck {
  readonly #seen = new Map<string, Seen>();
  #answeredAt = -Infinity;
  #allAnsweredAt = -Infinity;

  constructor(
    /** Requests public websites (canaries) and returns whether some, or all, of them answer. */
    private readonly canariesAnswer: (which: 'some' | 'all') => Promise<boolean>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Records the last result of a host. `hasAnswered`: the host sent any HTTP response, even an error. */
  note(host: string, { fails, hasAnswered }: { fails: boolean; hasAnswered: boolean }): void {
    this.#seen.delete(host);
    this.#seen.set(host, { at: this.now(), fails });
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > mostHosts && oldest !== undefined) this.#seen.delete(oldest);
    if (hasAnswered) this.#answeredAt = this.now();
  }

  /** Whether a failed check counts against its link. If most hosts fail, every canary must answer first. */
  async isTrustworthy({ hasAnswered }: { hasAnswered: boolean }): Promise<boolean> {
    if (this.#mostFail()) return this.#allAnswer();
    if (hasAnswered || this.now() - this.#answeredAt < freshMs) return true;
    if (!(await this.canariesAnswer('some'))) return false;
    this.#answeredAt = this.now();
    return true;
  }

  async #allAnswer(): Promise<boolean> {
    if (this.now() - this.#allAnsweredAt < freshMs) return true;
    if (!(await this.canariesAnswer('all'))) return false;
    this.#allAnsweredAt = this.now();
    return true;
  }

  #mostFail(): boolean {
    const oldest = this.now() - rememberedMs;
    const recent = [...this.#seen.values()].filter(({ at }) => at > oldest);
    return recent.length >= minHosts && recent.filter(({ fails }) => fails).length * 2 > recent.length;
  }
}
