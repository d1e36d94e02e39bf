import { AsyncResource } from 'node:async_hooks';

/** How long a read waits for a place before it is refused: longer would only hold up those that come later. */
const waitMs = 500;
/** As many may wait as places came free in so long a time: those that come last find theirs in about as long again. */
const windowMs = waitMs / 2;
/** So many may wait whatever came free, and no fewer than are loaded at once: a crowd may come to a server at rest. */
const leastWaiting = 512;
/** Reads that wait for a place of one route; each holds its connection and little else. */
const mostWaiting = 4096;

/**
 * How many answers of each route are loaded at once, and who waits for a place: a service that hangs takes the places of
 * its own routes alone. Whoever comes when more wait than will be served in time is refused at once, which costs least
 * and leaves the time to those who can be served. The others wait, since who is refused may ask again at once, and
 * answering that takes the time of what could be served. Who has waited for long enough is refused.
 */
export class LoadingPlaces {
  readonly #most: number;
  readonly #routes = new Map<string, Route>();

  constructor(most: number) {
    this.#most = most;
  }

  isFull(route: string): boolean {
    return (this.#routes.get(route)?.taken ?? 0) >= this.#most;
  }

  take(route: string): void {
    this.#route(route).taken += 1;
  }

  /** Gives a place back, to whoever has waited for the longest and still wants one. */
  free(route: string): void {
    const found = this.#route(route);
    found.taken -= 1;
    found.freed.add();
    while (found.taken < this.#most) {
      const [first] = found.waiting;
      if (!first) return;
      first();
    }
  }

  /**
   * Tells once whether there is a place, as soon as one is free, or that there is none: at once, or after `waitMs`. Who
   * still wants it takes it before `tell` returns; otherwise it goes to the next.
   */
  wait(route: string, tell: (isThere: boolean) => void): void {
    const { waiting, freed } = this.#route(route);
    const most = Math.min(mostWaiting, Math.max(leastWaiting, this.#most, freed.lately()));
    if (waiting.size >= most) return tell(false);
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

  #route(name: string): Route {
    const known = this.#routes.get(name);
    if (known) return known;
    const route = { taken: 0, waiting: new Set<() => void>(), freed: new SlidingCount() };
    this.#routes.set(name, route);
    return route;
  }
}

interface Route {
  taken: number;
  readonly waiting: Set<() => void>;
  readonly freed: SlidingCount;
}

/** How often something happened within the last `windowMs`, from two counts: the part of the former one is estimated. */
class SlidingCount {
  #since = performance.now();
  #count = 0;
  #before = 0;

  add(): void {
    this.#turn();
    this.#count += 1;
  }

  lately(): number {
    const passed = this.#turn();
    return this.#count + this.#before * (1 - passed / windowMs);
  }

  /** Begins a new count where the last one is over. @returns milliseconds since the present one began. */
  #turn(): number {
    const now = performance.now();
    const passed = now - this.#since;
    if (passed < windowMs) return passed;
    this.#before = passed < 2 * windowMs ? this.#count : 0;
    this.#count = 0;
    this.#since = passed < 2 * windowMs ? this.#since + windowMs : now;
    return now - this.#since;
  }
}
