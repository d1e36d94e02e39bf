/** How long an answer proves that outgoing connections work. */
const freshMs = 60_000;
/** How long the last result of a host is remembered. */
const rememberedMs = 3_600_000;
const mostHosts = 1000;
/** Fewer hosts prove nothing about the network: a small site may have more dead links than others. */
const minHosts = 10;

interface Seen {
  readonly at: number;
  readonly fails: boolean;
}

/**
 * Decides whether links fail or the system's own outgoing connection. Without proof that the network works,
 * an unanswered check does not count.
 */
export class OnlineCheck {
  readonly #seen = new Map<string, Seen>();
  #answeredAt = -Infinity;
  #allAnsweredAt = -Infinity;

  constructor(
    /**
     * Whether some or all canary pages answer. Stoa's own site is no canary: it may be reachable without the
     * internet.
     */
    private readonly canariesAnswer: (which: 'some' | 'all') => Promise<boolean>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Records the last result of a host. Any answer proves that the host was reached. */
  note(host: string, { fails, hasAnswered }: { fails: boolean; hasAnswered: boolean }): void {
    this.#seen.delete(host);
    this.#seen.set(host, { at: this.now(), fails });
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > mostHosts && oldest !== undefined) this.#seen.delete(oldest);
    if (hasAnswered) this.#answeredAt = this.now();
  }

  /**
   * Whether a failure counts against a link. When most hosts fail, every canary must answer: a partly broken
   * network reaches some hosts. If every canary answers, an old list of links may be the reason.
   */
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
