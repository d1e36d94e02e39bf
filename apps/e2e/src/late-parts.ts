import { appProcess } from '@stoa/system/apps/app-process';
import { spawnTracked, type Spawned } from '@stoa/system/processes/spawn-tracked';
import { natsConnections } from '@stoa/system/testing/nats-connections';
import { testEnvironment } from '@stoa/system/testing/test-environment';
import { portOfPart, throughWires } from '@stoa/system/testing/wires';
import { partsHandlesOf } from '@stoa/system/parts/start-parts';
import type { App, PartName } from '@stoa/system';
import { freePorts, healthPort, type Ports } from '@stoa/system/settings/ports';
import { Wire } from '@stoa/testing/wire';
import { once } from 'node:events';
import { theSystem } from './system.ts';

const parts = Object.keys(portOfPart) as PartName[];
const taken = new Set<number>();

/** A block of ports that no other process of this file was given. */
async function ownPorts(): Promise<Ports> {
  for (;;) {
    const ports = await freePorts();
    const numbers = Object.values(ports);
    if (numbers.some((port) => taken.has(port))) continue;
    for (const port of numbers) taken.add(port);
    return ports;
  }
}

/** How a process differs from its like in the system. */
export interface LateStartOptions {
  /** Where it is led to the parts, when that is not straight to them. */
  readonly via?: Ports;
  readonly overrides?: Readonly<Record<string, string>>;
}

/** What a process says of itself. */
export interface Readiness {
  readonly status: number;
  readonly missing: readonly string[];
}

/** One more process of an app, which reaches each part by a wire of its own. */
export class LateStart {
  readonly #app: App;
  readonly #wires: ReadonlyMap<PartName, Wire>;
  readonly #spawned: Spawned;
  readonly ports: Ports;

  private constructor(
    app: App,
    ports: Ports,
    wires: ReadonlyMap<PartName, Wire>,
    overrides: LateStartOptions['overrides'],
  ) {
    this.#app = app;
    this.#wires = wires;
    this.ports = ports;
    const environment = { ...environmentOf(app, ports), ...overrides };
    const { command, args, env } = appProcess(app, { environment, ports });
    this.#spawned = spawnTracked(command, args ?? [], env ?? {});
  }

  /** Starts it with these parts away and every other one there. */
  static async of(
    app: App,
    away: readonly PartName[],
    { via = theSystem().ports, overrides }: LateStartOptions = {},
  ): Promise<LateStart> {
    const ports = await ownPorts();
    const wires = new Map(
      parts.map((part) => [part, new Wire(via[portOfPart[part]], ports[portOfPart[part]])]),
    );
    for (const [part, wire] of wires) if (!away.includes(part)) await wire.open();
    return new LateStart(app, ports, wires, overrides);
  }

  /** A part comes. */
  async bring(part: PartName): Promise<void> {
    await this.#wires.get(part)?.open();
  }

  get hasEnded(): boolean {
    return this.#spawned.child.exitCode !== null || this.#spawned.child.signalCode !== null;
  }

  /** Status of /health/live; 0 where nothing answers. */
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

  /** Ends it as a supervisor does, and answers the code that it ended with. */
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

/** The app's own settings, with the addresses of the wires in place of the parts', and ports of its own. */
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

/** How many processes of a service take requests at this moment. */
export async function replicasAnswering(service: string): Promise<number> {
  const connections = natsConnections(() => partsHandlesOf(theSystem()).nats);
  try {
    const gateway = await connections.as('gateway');
    const answers = await gateway.requestMany(`replicas.${service}`, '[]', {
      strategy: 'timer',
      maxWait: answeringMs,
    });
    let count = 0;
    for await (const answer of answers) if (!(answer instanceof Error)) count += 1;
    return count;
  } finally {
    await connections.close();
  }
}
