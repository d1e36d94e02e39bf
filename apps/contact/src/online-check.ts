/** How long an answer says that there is a way out. */
const freshMs = 60_000;
/** How long a host is remembered by what was seen there last. */
const rememberedMs = 3_600_000;
const mostHosts = 1000;
/** Fewer hosts say nothing about the network: a small site may have more dead links than others. */
const tellingHosts = 10;

interface Seen {
  readonly at: number;
  readonly fails: boolean;
}

/**
 * Whether it is the links that fail, or our own way out. Without proof that the network works a link that nobody answers at
 * is held to be fine.
 */
export class OnlineCheck {
  readonly #seen = new Map<string, Seen>();
  #answeredAt = -Infinity;
  #allAnsweredAt = -Infinity;

  constructor(
    /** Whether some or all of the pages answer that are there whatever happens. Not our own site: it may be next door. */
    private readonly askCanaries: (which: 'some' | 'all') => Promise<boolean>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Notes what a host showed; whatever it answered, it was reached. */
  note(host: string, { fails, hasAnswered }: { fails: boolean; hasAnswered: boolean }): void {
    this.#seen.delete(host);
    this.#seen.set(host, { at: this.now(), fails });
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > mostHosts && oldest !== undefined) this.#seen.delete(oldest);
    if (hasAnswered) this.#answeredAt = this.now();
  }

  /**
   * Whether a failure may be held against a link. Where most hosts fail the canaries decide alone, all of them: a network
   * that is half broken lets some hosts through, and a list of links may yet be as old as that.
   */
  async isTrustworthy({ hasAnswered }: { hasAnswered: boolean }): Promise<boolean> {
    if (this.#mostFail()) return this.#allAnswer();
    if (hasAnswered || this.now() - this.#answeredAt < freshMs) return true;
    if (!(await this.askCanaries('some'))) return false;
    this.#answeredAt = this.now();
    return true;
  }

  async #allAnswer(): Promise<boolean> {
    if (this.now() - this.#allAnsweredAt < freshMs) return true;
    if (!(await this.askCanaries('all'))) return false;
    this.#allAnsweredAt = this.now();
    return true;
  }

  #mostFail(): boolean {
    const oldest = this.now() - rememberedMs;
    const recent = [...this.#seen.values()].filter(({ at }) => at > oldest);
    return recent.length >= tellingHosts && recent.filter(({ fails }) => fails).length * 2 > recent.length;
  }
}
