import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answersHttp } from '../parts/answers.ts';
import type { ProcessSpec } from '../processes/supervised.ts';
import { baseEnvironment } from '../settings/environment.ts';
import type { PartName } from '../settings/names.ts';
import { freeBlock, type Ports } from '../settings/ports.ts';

/** Where a part listens, by the name of its port. */
export const portOfPart = {
  nats: 'nats',
  postgres: 'postgres',
  minio: 'minioInternal',
  keycloak: 'keycloakInternal',
  mail: 'smtp',
} as const satisfies Record<PartName, keyof Ports>;

/** Parts that have a wire which can be made slow. */
export const wiredParts = ['nats', 'postgres', 'minio'] as const satisfies readonly PartName[];
export type WiredPart = (typeof wiredParts)[number];

/** An app's settings with the addresses of wires in place of those of the parts. */
export function throughWires(
  environment: Readonly<Record<string, string>>,
  real: Ports,
  wires: Partial<Ports>,
  parts: readonly PartName[] = wiredParts,
): Record<string, string> {
  const moved = Object.entries(environment).map(([name, value]) => [
    name,
    parts.reduce(
      (address, part) =>
        address.replace(`127.0.0.1:${real[portOfPart[part]]}`, `127.0.0.1:${wires[portOfPart[part]]}`),
      value,
    ),
  ]);
  return Object.fromEntries(moved) as Record<string, string>;
}

/** Where wires begin: at a port for each part. */
export type WireEnds = Pick<Ports, (typeof portOfPart)[WiredPart]>;

/** The wires of a system. */
export interface Wires {
  /** The port where what makes them slow is told so. */
  readonly control: number;
  /** By the process that uses them, such as `creators-2`; those of `everyone` are shared by all that have none. */
  readonly ends: Readonly<Record<string, WireEnds>>;
}

/** Whose wires are used by every process without its own. */
export const everyone = 'everyone';

/** Free ports for a wire to each part, for each of these processes. */
export async function freeWires(processes: readonly string[] = [everyone]): Promise<Wires> {
  const base = await freeBlock(1 + processes.length * wiredParts.length);
  const ends = processes.map((name, at) => {
    const first = base + 1 + at * wiredParts.length;
    const ports = wiredParts.map((part, place) => [portOfPart[part], first + place]);
    return [name, Object.fromEntries(ports) as WireEnds];
  });
  return { control: base, ends: Object.fromEntries(ends) as Wires['ends'] };
}

/** Where the wires of a process begin. @throws Error where it has none. */
export function wireEndsOf(process: string, { ends }: Wires): WireEnds {
  const own = ends[process] ?? ends[everyone];
  if (!own) throw new Error(`There are no wires for ${process}.`);
  return own;
}

/** What Toxiproxy calls a wire, by who uses it. */
export const wireName = (process: string, part: WiredPart, { ends }: Wires): string =>
  `${process in ends ? process : everyone}-${part}`;

/** Where what makes wires slow is told so. */
export const wiresUrl = ({ control }: Wires): string => `http://127.0.0.1:${control}`;

/** How Toxiproxy runs under the supervisor, with a wire to each part for whoever has wires. */
export function wiresProcess(program: string, folder: string, real: Ports, wires: Wires): ProcessSpec {
  const file = join(folder, 'wires.json');
  const proxies = Object.entries(wires.ends).flatMap(([process, own]) =>
    wiredParts.map((part) => ({
      name: wireName(process, part, wires),
      listen: `127.0.0.1:${own[portOfPart[part]]}`,
      upstream: `127.0.0.1:${real[portOfPart[part]]}`,
      enabled: true,
    })),
  );
  writeFileSync(file, JSON.stringify(proxies));
  return {
    name: 'wires',
    command: program,
    args: ['-host', '127.0.0.1', '-port', String(wires.control), '-config', file],
    // It logs each connection otherwise.
    env: { ...baseEnvironment(), LOG_LEVEL: 'error' },
    ready: () => answersHttp(`${wiresUrl(wires)}/version`),
  };
}
