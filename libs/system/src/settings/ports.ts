import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { Problem } from '../problem.ts';
import { apps, type App } from './names.ts';

/** The environment variable and the default of each port. */
const definitions = {
  site: ['STOA_PORT', 8080],
  /** The gateway's port when the development server has the site's port. */
  gateway: ['STOA_GATEWAY_PORT', 8090],
  health: ['STOA_HEALTH_PORT', 8100],
  /** Keycloak for browsers, through edge's proxy. */
  keycloak: ['STOA_KEYCLOAK_PORT', 8180],
  keycloakInternal: ['STOA_KEYCLOAK_INTERNAL_PORT', 8181],
  keycloakHealth: ['STOA_KEYCLOAK_HEALTH_PORT', 9180],
  /** The object store for browsers, through edge's proxy. */
  minio: ['STOA_MINIO_PORT', 9000],
  minioInternal: ['STOA_MINIO_INTERNAL_PORT', 9001],
  postgres: ['STOA_POSTGRES_PORT', 5442],
  nats: ['STOA_NATS_PORT', 4222],
  smtp: ['STOA_SMTP_PORT', 1025],
  mail: ['STOA_MAIL_PORT', 1080],
  /** The web interface of the trace viewer. */
  traces: ['STOA_TRACES_PORT', 16_686],
  /** The port at which tests receive telemetry. */
  otlp: ['STOA_OTLP_PORT', 4318],
  /** The server for creators' links under test. */
  links: ['STOA_LINKS_PORT', 8280],
} as const satisfies Record<string, readonly [string, number]>;

export type PortName = keyof typeof definitions;
export type Ports = Record<PortName, number>;

const names = Object.keys(definitions) as PortName[];

/** The ports of `npm start`: defaults, overridden by environment variables. */
export function defaultPorts(environment: NodeJS.ProcessEnv = process.env): Ports {
  return fromNames((name) => {
    const [variable, fallback] = definitions[name];
    const text = environment[variable];
    if (!text) return fallback;
    const port = Number(text);
    if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
    throw new Problem(`${variable} is "${text}", which is not a port: give a number from 1 to 65535.`);
  });
}

/** The environment variable that sets a port. */
export const variableOf = (name: PortName): string => definitions[name][0];

/** The health port of an app; the gateway's is the base, the services follow in order. */
export const healthPort = (ports: Ports, app: App): number => ports.health + apps.indexOf(app);

/** A block of ports that are free now, below the range of outgoing connections. */
export async function freePorts(): Promise<Ports> {
  const base = await freeBlock(names.length + apps.length);
  // `health` is itself a block of ports, so it comes last.
  const order = [...names.filter((name) => name !== 'health'), 'health'];
  return fromNames((name) => base + order.indexOf(name));
}

/** The first port of a free block of this size, in the same range. @throws Problem if there is none. */
export async function freeBlock(size: number): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const base = randomInt(12_000, 31_000);
    const block = Array.from({ length: size }, (_, index) => base + index);
    if ((await Promise.all(block.map(isFree))).every(Boolean)) return base;
  }
  throw new Problem(
    'No block of free ports was found between 12000 and 31000: end processes that listen there.',
  );
}

/** Whether no process listens on this port of this machine. */
export async function isFree(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const server = createServer()
    .once('error', () => resolve(false))
    .listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  return promise;
}

function fromNames(portOf: (name: PortName) => number): Ports {
  return Object.fromEntries(names.map((name) => [name, portOf(name)])) as Ports;
}
