import { type App, apps } from '@stoa/system';
import { hasDatabase } from '@stoa/system/settings/names';
import { badWires } from '../wires.ts';

/**
 * The kinds of faults, each of which ends again. `kill`: the supervisor restarts the part. `hang`: the part
 * is paused for a while. `restart`: the part is stopped and started. `slow`: the part runs a quarter of the
 * time. `full`: the disk of the part is full for a while. `wire`: the network connection of the part is late,
 * narrow, silent or half open.
 */
export const faultKinds = ['kill', 'hang', 'restart', 'slow', 'full', 'wire'] as const;
export type FaultKind = (typeof faultKinds)[number];

/** Keycloak is left out: its start takes longer than all others, and only sign-ins need it. */
export const faultyParts = [...apps, 'nats', 'postgres', 'minio'] as const;
export type FaultyPart = (typeof faultyParts)[number];
/** Parts that store data; apps reach them through wires of their own where there are wires. */
export const partsWithDisk = ['nats', 'postgres', 'minio'] as const satisfies readonly FaultyPart[];

export interface Fault {
  readonly part: FaultyPart;
  readonly kind: FaultKind;
  /** Whether the fault hits the second of two replicas. */
  readonly second: boolean;
  /** Duration of a hang, of slowness, of a full disk or of a bad wire. */
  readonly forMs: number;
  /** The kind of bad wire. */
  readonly wire?: keyof typeof badWires;
  /** The app that uses the wire, where each app has its own. */
  readonly wireOf?: App;
}

/** The apps that reach a part by a wire. */
const usersOf: Readonly<Record<(typeof partsWithDisk)[number], readonly App[]>> = {
  nats: apps,
  postgres: apps.filter(hasDatabase),
  minio: ['media', 'edge'],
};

/** Each part is killed twice as often as it hangs, restarts or is slow. */
const kinds: readonly FaultKind[] = ['kill', 'kill', 'hang', 'restart', 'slow'];
const shortestHangMs = 500;
const longestHangMs = 4000;
/** A part with a full disk continues until it has used up the space that it had already allocated. */
const fullTimes = 5;

/** Pseudo-random numbers from 0 to 1 (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Faults that need a special setup: small disks, or wires between apps and parts. */
export interface SpecialFaults {
  readonly fullDisks?: boolean;
  readonly wires?: boolean;
}

type Unplanned = Pick<Fault, 'part' | 'kind' | 'wire'> & { readonly users?: readonly App[] };

/** The faults of a seed in order: every fault of every part occurs once before any recurs. */
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
