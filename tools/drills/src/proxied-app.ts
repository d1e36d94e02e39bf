import { appProcess } from '@stoa/system/apps/app-process';
import { spawnTracked, type Spawned } from '@stoa/system/processes/spawn-tracked';
import { natsConnections } from '@stoa/system/testing/nats-connections';
import { testEnvironment } from '@stoa/system/testing/test-environment';
import { portOfPart, throughWires } from '@stoa/system/testing/wires';
import { partsHandlesOf } from '@stoa/system/parts/start-parts';
import type { App, PartName } from '@stoa/system';
import { freePorts, healthPort, type Ports } from '@stoa/system/settings/ports';
import { TcpProxy } from '@stoa/testing/tcp-proxy';
import { contact, creators, identity, media, offerings } from '@stoa/contracts';
import { once } from 'node:events';
import { theSystem } from '@stoa/e2e/system';

const parts = Object.keys(portOfPart) as PartName[];
const taken = new Set<number>();

/** Takes a block of ports that no other process of this file has. */
async function ownPorts(): Promise<Ports> {
  for (;;) {
    const ports = await freePorts();
    const numbers = Object.values(ports);
    if (numbers.some((port) => taken.has(port))) continue;
    for (const port of numbers) taken.add(port);
    return ports;
  }
}

/** How the process differs from the same app in the system. */
export interface ProxiedAppOptions {
  /** The ports of the parts as its wires reach them; by default those of the system. */
  readonly via?: Ports;
  readonly overrides?: Readonly<Record<string, string>>;
}

/** The answer of a process to a readiness probe. */
export interface Readiness {
  readonly status: number;
  readonly missing: readonly string[];
}

/** A further process of an app that reaches each part through its own TCP proxy. */
export class ProxiedApp {
  readonly #app: App;
  readonly #wires: ReadonlyMap<PartName, TcpProxy>;
  readonly #spawned: Spawned;
  readonly ports: Ports;

  private constructor(
    app: App,
    ports: Ports,
    wires: ReadonlyMap<PartName, TcpProxy>,
    overrides: ProxiedAppOptions['overrides'],
  ) {
    this.#app = app;
    this.#wires = wires;
    this.ports = ports;
    const environment = { ...environmentOf(app, ports), ...overrides };
    const { command, args, env } = appProcess(app, { environment, ports });
    this.#spawned = spawnTracked(command, args ?? [], env ?? {});
  }

  /** Starts the app while these parts are away and all others are ready. */
  static async of(
    app: App,
    away: readonly PartName[],
    { via = theSystem().ports, overrides }: ProxiedAppOptions = {},
  ): Promise<ProxiedApp> {
    const ports = await ownPorts();
    const wires = new Map(
      parts.map((part) => [part, new TcpProxy(via[portOfPart[part]], ports[portOfPart[part]])]),
    );
    for (const [part, wire] of wires) if (!away.includes(part)) await wire.open();
    return new ProxiedApp(app, ports, wires, overrides);
  }

  /** Makes a part reachable. */
  async connect(part: PartName): Promise<void> {
    await this.#wires.get(part)?.open();
  }

  get hasEnded(): boolean {
    return this.#spawned.child.exitCode !== null || this.#spawned.child.signalCode !== null;
  }

  /** The status of /health/live; 0 without an answer. */
  async liveness(): Promise<number> {
    return this.#ask('live').then(
      ({ status }) => status,
      () => 0,
    );
  }

  async readiness(): Promise<Readiness> {
    const answer = await this.#ask('ready').catch(() => undefined);
    if (!answer) return { status: 0, missing: [] };
    const { missing = ['?'] } = (await answer.json()) as { missing?: string[] };
    return { status: answer.status, missing };
  }

  /** Stops the process as a supervisor does. Resolves to its exit code. */
  async stop(): Promise<number | null> {
    const { child } = this.#spawned;
    const ended = this.hasEnded ? undefined : once(child, 'exit');
    this.#spawned.stop();
    await ended;
    for (const wire of this.#wires.values()) wire.close();
    return child.exitCode;
  }

  #ask(what: 'live' | 'ready'): Promise<Response> {
    const port = healthPort(this.ports, this.#app);
    return fetch(`http://127.0.0.1:${port}/health/${what}`, { signal: AbortSignal.timeout(5000) });
  }
}

/** The app's own settings, with addresses of the proxies instead of the parts, and its own ports. */
function environmentOf(app: App, ports: Ports): Record<string, string> {
  const { environments, ports: real } = theSystem();
  const given = { ...environments[app], ...testEnvironment(real) };
  return {
    ...throughWires(given, real, ports, parts),
    HEALTH_PORT: String(healthPort(ports, app)),
    ...(app === 'gateway' && { PORT: String(ports.site) }),
    ...(app === 'edge' && { SIGN_IN_PORT: String(ports.keycloak), MEDIA_PORT: String(ports.minio) }),
  };
}

const answeringMs = 500;

/** Whether a process of the service answers a request. The requests lack a caller, so they have no effect. */
export async function isAnswering(service: Service): Promise<boolean> {
  const connections = natsConnections(() => partsHandlesOf(theSystem()).nats);
  try {
    const gateway = await connections.as('gateway');
    const answer = gateway.request(requestTo[service].subject, '{}', { timeout: answeringMs });
    return await answer.then(
      () => true,
      () => false,
    );
  } finally {
    await connections.close();
  }
}

const requestTo = {
  identity: identity.open,
  creators: creators.open,
  offerings: offerings.listOwn,
  media: media.grant,
  contact: contact.countHeld,
} as const;
export type Service = keyof typeof requestTo;
export const services = Object.keys(requestTo) as Service[];
