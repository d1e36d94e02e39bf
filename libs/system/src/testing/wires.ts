import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answersHttp } from '../parts/answers.ts';
import type { ProcessSpec } from '../processes/supervised.ts';
import { baseEnvironment } from '../settings/environment.ts';
import type { PartName } from '../settings/names.ts';
import { freeBlock, type Ports } from '../settings/ports.ts';

/** The name of each part's port. */
export const portOfPart = {
  nats: 'nats',
  postgres: 'postgres',
  minio: 'minioInternal',
  keycloak: 'keycloakInternal',
  mail: 'smtp',
} as const satisfies Record<PartName, keyof Ports>;

/** Parts that tests can put behind a wire: a TCP proxy of Toxiproxy that delays or blocks traffic. */
export const wiredParts = ['nats', 'postgres', 'minio'] as const satisfies readonly PartName[];
export type WiredPart = (typeof wiredParts)[number];

/** Replaces the addresses of parts in an app's settings by those of wires. */
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

/** The ports of a process's wires, one for each part. */
export type WireEnds = Pick<Ports, (typeof portOfPart)[WiredPart]>;

/** The wires of a system. */
export interface Wires {
  /** The port of Toxiproxy's API, which controls the wires. */
  readonly control: number;
  /** The wires by process, such as `creators-2`. Processes without an entry share those of `everyone`. */
  readonly ends: Readonly<Record<string, WireEnds>>;
}

/** The key of the wires that processes without their own share. */
export const everyone = 'everyone';

/** Finds free ports for a wire to each part, for each of these processes. */
export async function freeWires(processes: readonly string[] = [everyone]): Promise<Wires> {
  const base = await freeBlock(1 + processes.length * wiredParts.length);
  const ends = processes.map((name, at) => {
    const first = base + 1 + at * wiredParts.length;
    const ports = wiredParts.map((part, place) => [portOfPart[part], first + place]);
    return [name, Object.fromEntries(ports) as WireEnds];
  });
  return { control: base, ends: Object.fromEntries(ends) as Wires['ends'] };
}

/** The wires of a process. @throws Error if it has none. */
export function wireEndsOf(process: string, { ends }: Wires): WireEnds {
  const own = ends[process] ?? ends[everyone];
  if (!own) throw new Error(`There are no wires for ${process}.`);
  return own;
}

/** Toxiproxy's name of a wire. */
export const wireName = (process: string, part: WiredPart, { ends }: Wires): string =>
  `${process in ends ? process : everyone}-${part}`;

/** The address of Toxiproxy's API. */
export const wiresUrl = ({ control }: Wires): string => `http://127.0.0.1:${control}`;

/** Toxiproxy as a supervised process, with a wire to each part for each entry of `wires.ends`. */
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
    // At the default level it logs each connection.
    env: { ...baseEnvironment(), LOG_LEVEL: 'error' },
    ready: () => answersHttp(`${wiresUrl(wires)}/version`),
  };
}
