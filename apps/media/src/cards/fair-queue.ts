import { Refusal } from '@stoa/messaging';

interface Waiting {
  readonly start: () => Promise<void>;
  readonly refuse: () => void;
}

interface Bounds {
  readonly concurrency: number;
  /** The maximum number of waiting tasks of all owners together. */
  readonly waiting: number;
}

/**
 * Runs at most `concurrency` tasks at a time; the owners take turns. If the queue is full, the owner with the
 * most waiting tasks loses the last one.
 */
export class FairQueue {
  readonly #lanes = new Map<string, Waiting[]>();
  readonly #bounds: Bounds;
  #running = 0;
  #waiting = 0;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  /** @throws Refusal `unavailable` if the queue is full */
  run<T>(owner: string, task: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const lane = this.#lanes.get(owner) ?? [];
    const refuse = () => reject(queueIsFull());
    if (this.#waiting >= this.#bounds.waiting && !this.#makeRoom(lane.length + 1)) {
      refuse();
      return promise;
    }
    lane.push({ start: () => task().then(resolve, reject), refuse });
    this.#lanes.set(owner, lane);
    this.#waiting += 1;
    this.#startNext();
    return promise;
  }

  /** Refuses the last task of the owner with the most tasks, if there are more than `own`. */
  #makeRoom(own: number): boolean {
    const [longest] = [...this.#lanes.values()].toSorted((a, b) => b.length - a.length);
    if (!longest || longest.length <= own) return false;
    longest.pop()?.refuse();
    this.#waiting -= 1;
    return true;
  }

  #startNext(): void {
    const [next] = this.#lanes;
    if (!next || this.#running >= this.#bounds.concurrency) return;
    const [owner, lane] = next;
    this.#lanes.delete(owner);
    const task = lane.shift();
    // Moves the owner to the end of the map, behind all other owners.
    if (lane.length > 0) this.#lanes.set(owner, lane);
    this.#waiting -= 1;
    this.#running += 1;
    void task?.start().finally(() => {
      this.#running -= 1;
      this.#startNext();
    });
  }
}

function queueIsFull(): Refusal {
  return new Refusal('unavailable', 'Too many cards are being drawn. Please try again in a moment.', [], 2);
}
