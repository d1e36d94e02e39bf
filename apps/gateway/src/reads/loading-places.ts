import { AsyncResource } from 'node:async_hooks';

/** How long a read waits for a place before it is refused: longer would only hold up those that come later. */
const waitMs = 500;
/** Reads that wait for a place of one route; each holds its connection and little else. */
const mostWaiting = 4096;

/**
 * How many answers of each route are loaded at once, and who waits for a place: a service that hangs takes the places of
 * its own routes alone. Whoever has waited for long enough is refused, which costs next to nothing, and goes after those
 * who came before: refusing at once would have the same ones ask again at once, and answering that takes the time of
 * what could be served.
 */
export class LoadingPlaces {
  readonly #most: number;
  readonly #taken = new Map<string, number>();
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(most: number) {
    this.#most = most;
  }

  isFull(route: string): boolean {
    return (this.#taken.get(route) ?? 0) >= this.#most;
  }

  take(route: string): void {
    this.#taken.set(route, (this.#taken.get(route) ?? 0) + 1);
  }

  /** Gives a place back, to whoever has waited for the longest and still wants one. */
  free(route: string): void {
    this.#taken.set(route, (this.#taken.get(route) ?? 1) - 1);
    const waiting = this.#waiting.get(route);
    while (waiting && !this.isFull(route)) {
      const [first] = waiting;
      if (!first) return;
      first();
    }
  }

  /**
   * Tells once whether there is a place, as soon as one is free, or after `waitMs`. Who still wants it takes it before `tell`
   * returns; otherwise it goes to the next.
   */
  wait(route: string, tell: (isThere: boolean) => void): void {
    const waiting = this.#waiting.get(route) ?? new Set();
    this.#waiting.set(route, waiting);
    if (waiting.size >= mostWaiting) return tell(false);
    // Whoever gives a place back calls it, on behalf of another request.
    const answer = AsyncResource.bind(tell);
    const end = (isThere: boolean) => {
      clearTimeout(timer);
      waiting.delete(come);
      answer(isThere);
    };
    const come = () => end(true);
    const timer = setTimeout(() => end(false), waitMs);
    waiting.add(come);
  }
}
