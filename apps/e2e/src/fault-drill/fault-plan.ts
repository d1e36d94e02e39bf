import { apps } from '@stoa/system';

/**
 * What can be done to a part, and undone: killed it is restarted by the supervisor, hung it goes on, stopped it is started,
 * slow it works a quarter of the time.
 */
export type FaultKind = 'kill' | 'hang' | 'restart' | 'slow';

/** Keycloak is left alone: its start takes longer than all the rest, and nobody but who signs in needs it. */
export const faultyParts = [...apps, 'nats', 'postgres', 'minio'] as const;
export type FaultyPart = (typeof faultyParts)[number];

export interface Fault {
  readonly part: FaultyPart;
  readonly kind: FaultKind;
  /** Whether it is the second of two. */
  readonly second: boolean;
  /** How long it hangs or is slow. */
  readonly forMs: number;
}

/** Each part is killed twice for each time that it hangs, is restarted or is slow. */
const kinds: readonly FaultKind[] = ['kill', 'kill', 'hang', 'restart', 'slow'];
const shortestHangMs = 500;
const longestHangMs = 4000;

/** Numbers from 0 to 1 that a seed decides (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The faults of a seed in their order: every part in every way comes before any comes again. */
export function planFaults(seed: number, count: number): Fault[] {
  const random = randomNumbers(seed);
  const all = faultyParts.flatMap((part) => kinds.map((kind) => ({ part, kind })));
  const planned: Fault[] = [];
  while (planned.length < count) {
    const drawn = all.map((fault) => ({ fault, at: random() })).toSorted((a, b) => a.at - b.at);
    for (const { fault } of drawn)
      planned.push({
        ...fault,
        second: random() < 0.5,
        forMs: shortestHangMs + random() * (longestHangMs - shortestHangMs),
      });
  }
  return planned.slice(0, count);
}
