import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answersHttp } from '../parts/answers.ts';
import type { ProcessSpec } from '../processes/supervised.ts';
import { baseEnvironment } from '../settings/environment.ts';
import type { PartName } from '../settings/names.ts';
import type { Ports } from '../settings/ports.ts';

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
  wires: Ports,
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

/** Where what makes wires slow is told so. */
export const wiresUrl = (wires: Ports): string => `http://127.0.0.1:${wires.site}`;

/** How Toxiproxy runs under the supervisor, with a wire to each part. */
export function wiresProcess(program: string, folder: string, real: Ports, wires: Ports): ProcessSpec {
  const file = join(folder, 'wires.json');
  const proxies = wiredParts.map((name) => ({
    name,
    listen: `127.0.0.1:${wires[portOfPart[name]]}`,
    upstream: `127.0.0.1:${real[portOfPart[name]]}`,
    enabled: true,
  }));
  writeFileSync(file, JSON.stringify(proxies));
  return {
    name: 'wires',
    command: program,
    args: ['-host', '127.0.0.1', '-port', String(wires.site), '-config', file],
    // It logs each connection otherwise.
    env: { ...baseEnvironment(), LOG_LEVEL: 'error' },
    ready: () => answersHttp(`${wiresUrl(wires)}/version`),
  };
}
