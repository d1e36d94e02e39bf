import { type App, apps } from '@stoa/system';
import { hasDatabase } from '@stoa/system/settings/names';
import { badWires } from '../wires.ts';

/**
 * What can be done to a part, and undone: killed it is restarted by the supervisor, hung it goes on, stopped it is started,
 * slow it works a quarter of the time, with a full disk it finds no room until there is some again, and a bad wire to it
 * is late, narrow, silent or half open.
 */
export const faultKinds = ['kill', 'hang', 'restart', 'slow', 'full', 'wire'] as const;
export type FaultKind = (typeof faultKinds)[number];

/** Keycloak is left alone: its start takes longer than all the rest, and nobody but who signs in needs it. */
export const faultyParts = [...apps, 'nats', 'postgres', 'minio'] as const;
export type FaultyPart = (typeof faultyParts)[number];
/** Those that keep something, and that apps reach by a wire of their own where there are wires. */
export const partsWithDisk = ['nats', 'postgres', 'minio'] as const satisfies readonly FaultyPart[];

export interface Fault {
  readonly part: FaultyPart;
  readonly kind: FaultKind;
  /** Whether it is the second of two. */
  readonly second: boolean;
  /** How long it hangs, is slow, has no room or a bad wire. */
  readonly forMs: number;
  /** How the wire to it is bad. */
  readonly wire?: keyof typeof badWires;
  /** The app whose wire that is, where each has its own. */
  readonly wireOf?: App;
}

/** Those that reach a part by a wire. */
const usersOf: Readonly<Record<(typeof partsWithDisk)[number], readonly App[]>> = {
  nats: apps,
  postgres: apps.filter(hasDatabase),
  minio: ['media', 'edge'],
};

/** Each part is killed twice for each time that it hangs, is restarted or is slow. */
const kinds: readonly FaultKind[] = ['kill', 'kill', 'hang', 'restart', 'slow'];
const shortestHangMs = 500;
const longestHangMs = 4000;
/** A part with a full disk goes on until the room that it had taken before is used up. */
const fullTimes = 5;

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

/** Kinds of faults that need something of the drill's own: small disks, wires between apps and parts. */
export interface SpecialFaults {
  readonly fullDisks?: boolean;
  readonly wires?: boolean;
}

type Unplanned = Pick<Fault, 'part' | 'kind' | 'wire'> & { readonly users?: readonly App[] };

/** The faults of a seed in their order: every part in every way comes before any comes again. */
export function planFaults(seed: number, count: number, { fullDisks, wires }: SpecialFaults = {}): Fault[] {
  const random = randomNumbers(seed);
  const all: Unplanned[] = faultyParts.flatMap((part) => kinds.map((kind) => ({ part, kind })));
  if (fullDisks) all.push(...partsWithDisk.map((part) => ({ part, kind: 'full' as const })));
  if (wires)
    for (const wire of Object.keys(badWires) as (keyof typeof badWires)[])
      all.push(...partsWithDisk.map((part) => ({ part, kind: 'wire' as const, wire, users: usersOf[part] })));
  const planned: Fault[] = [];
  while (planned.length < count) {
    const drawn = all.map((fault) => ({ fault, at: random() })).toSorted((a, b) => a.at - b.at);
    for (const { users, ...fault } of drawn.map((one) => one.fault))
      planned.push({
        ...fault,
        ...(users && { wireOf: users[Math.floor(random() * users.length)] ?? 'gateway' }),
        second: random() < 0.5,
        forMs:
          (shortestHangMs + random() * (longestHangMs - shortestHangMs)) *
          (fault.kind === 'full' ? fullTimes : 1),
      });
  }
  return planned.slice(0, count);
}
