import { nuid } from '@nats-io/transport-node';

/** Milliseconds by which two clocks may part in a millisecond: ten times what crystals do, and twice what NTP corrects by. */
const mostDrift = 0.001;
/** Askers whose clocks are known; each replica of the gateway is one, and each of its starts. */
const mostClocks = 1000;

/**
 * The clock by which a process dates what it sends: one that never goes back or jumps, and that nobody else can read. It is
 * told with a name, under which receivers compare what it says.
 */
export class SendingClock {
  #name = nuid.next();

  /** For a header: the name, and milliseconds. */
  now(): string {
    return `${this.#name} ${performance.now().toFixed(1)}`;
  }

  /**
   * Another name than that in `said`, so that receivers forget what they compared: this process or its machine stood still.
   * Many requests find that out at once; the first of them renames it.
   */
  rename(said: string): void {
    if (said.startsWith(`${this.#name} `)) this.#name = nuid.next();
  }
}

interface Known {
  /** The least by which this process's clock was ahead of the sender's. */
  readonly ahead: number;
  readonly at: number;
}

/**
 * How long requests were on their way, without clocks that are set alike: by how much later one came, by the sender's clock
 * and this process's, than the fastest one of that sender. One that lay in a buffer, here or at NATS, while something stood
 * still or a wire was silent, is as old as that took. The first one of a sender counts as new.
 */
export class RequestAges {
  readonly #clocks = new Map<string, Known>();

  /** Milliseconds since what `SendingClock` said, `sent`, as of `now` by `performance.now()`; 0 where that is not known. */
  ageOf(sent: string | undefined, now: number): number {
    const [name = '', told] = sent?.split(' ') ?? [];
    const ahead = now - Number(told);
    if (told === undefined || !Number.isFinite(ahead)) return 0;
    const known = this.#clocks.get(name);
    const least = known ? known.ahead + (now - known.at) * mostDrift : Infinity;
    if (ahead > least) return ahead - least;
    // Those that were heard last are kept.
    this.#clocks.delete(name);
    this.#clocks.set(name, { ahead, at: now });
    const [first = ''] = this.#clocks.keys();
    if (this.#clocks.size > mostClocks) this.#clocks.delete(first);
    return 0;
  }
}
