import { type App, apps } from '@stoa/system';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { controlProcess, runOf } from '@stoa/e2e/process-control';
import { realmUrl, theSystem } from '@stoa/e2e/system';
import { badWires, WireFaults } from '../wires.ts';
import { diskOf, fillDisk } from './ballast.ts';
import type { CallRecord } from './call-record.ts';
import { type Fault, type FaultKind, type FaultyPart, faultyParts, partsWithDisk } from './fault-plan.ts';

/** How long it took until a part answered again. */
export interface Recovery {
  readonly part: FaultyPart;
  readonly kind: FaultKind;
  readonly ms: number;
  /** The time of the fault until the recovery, by `performance.now()`. */
  readonly from: number;
  readonly to: number;
  /** Whether no other part was away during that time. */
  readonly alone: boolean;
}

const probeIntervalMs = 25;
/** A slow part delays each answer by up to this, like a slow network, and loses none. */
const slowForMs = 150;
const quickForMs = 50;
const probeMs = 1000;
/** Milliseconds after which a part that has not answered counts as lost for good. */
const givenUpMs = 120_000;

const isReplicated = (part: FaultyPart) => part !== 'edge' && isApp(part) && !!theSystem().replicaPorts;
const isApp = (part: FaultyPart): part is App => apps.some((app) => app === part);

/** With two replicas the other one answers calls, so recovery means that this one is ready. */
async function isReady(part: FaultyPart, name: string): Promise<boolean> {
  const { ports, replicaPorts } = theSystem();
  const { health } = name === part || !replicaPorts ? ports : replicaPorts;
  const port = health + apps.findIndex((app) => app === part);
  return fetch(`http://127.0.0.1:${port}/health/ready`, { signal: AbortSignal.timeout(probeMs) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Injects faults into a running system, and waits for recovery. */
export class Faults {
  readonly recoveries: Recovery[] = [];
  readonly #record: CallRecord;
  readonly #token: () => Promise<string>;
  readonly #away = new Map<FaultyPart, Promise<void>>();
  #everAway = 0;

  constructor(record: CallRecord, token: () => Promise<string>) {
    this.#record = record;
    this.#token = token;
  }

  /** Begins a fault, and waits for the recovery in the background. A fault of a part that is still away follows its recovery. */
  inject(fault: Fault): void {
    const before = this.#away.get(fault.part) ?? Promise.resolve();
    const work = before.then(() => this.#do(fault));
    const ended = work.finally(() => {
      if (this.#away.get(fault.part) === ended) this.#away.delete(fault.part);
    });
    this.#away.set(fault.part, ended);
    // `untilRecovered` reports the error.
    ended.catch(() => undefined);
  }

  /** Waits until every part is back. */
  async untilRecovered(): Promise<void> {
    while (this.#away.size > 0) await Promise.all(this.#away.values());
    await Promise.all(faultyParts.map((part) => this.#untilBack(part, part)));
  }

  async #do({ part, kind, second, forMs, wire, wireOf }: Fault): Promise<void> {
    const replica = (of: FaultyPart) => (second && isReplicated(of) ? `${of}-2` : of);
    const name = replica(part);
    this.#everAway += 1;
    const order = this.#everAway;
    const others = this.#away.size - 1;
    const from = performance.now();
    const user = wireOf && replica(wireOf);
    const begun = wire ? await disturbWire(part, wire, forMs, user) : await this.#hit(name, kind, forMs);
    if (wireOf && user) await this.#untilBack(wireOf, user);
    await this.#untilBack(part, name);
    const alone = others === 0 && this.#everAway === order;
    const to = performance.now();
    this.recoveries.push({ part, kind, ms: to - begun, from, to, alone });
  }

  /** Resolves to the time from which the part could recover: the kill, the start, or the end of the fault. */
  async #hit(name: string, kind: FaultKind, forMs: number): Promise<number> {
    if (kind === 'hang') {
      await controlProcess('pause', name);
      await pause(forMs);
      await controlProcess('resume', name);
      return performance.now();
    }
    if (kind === 'slow') {
      const until = performance.now() + forMs;
      while (performance.now() < until) {
        await controlProcess('pause', name);
        await pause(slowForMs);
        await controlProcess('resume', name);
        await pause(quickForMs);
      }
      return performance.now();
    }
    if (kind === 'full') {
      const empty = await fillDisk(diskOf(name));
      await pause(forMs);
      await empty();
      return performance.now();
    }
    if (kind === 'restart') {
      await controlProcess('stop', name);
      const begun = performance.now();
      await startWithRetries(name);
      return begun;
    }
    const before = await runOf(name);
    const begun = performance.now();
    await controlProcess('crash', name);
    while ([null, before].includes(await runOf(name))) {
      if (performance.now() - begun > givenUpMs) throw new Error(`${name} is not started again.`);
      await pause(probeIntervalMs);
    }
    return begun;
  }

  async #untilBack(part: FaultyPart, name: string): Promise<void> {
    const since = performance.now();
    const token = await this.#token();
    while (!(await (isReplicated(part) ? isReady(part, name) : this.#answers(part, token)))) {
      if (performance.now() - since > givenUpMs) throw new Error(`${name} does not come back.`);
      await pause(probeIntervalMs);
    }
  }

  /** Whether a call that only this part can answer is answered. */
  async #answers(part: FaultyPart, token: string): Promise<boolean> {
    const ask = (method: string, path: string) => this.#record.ask('probe', method, path, { token });
    const probes: Record<FaultyPart, () => ReturnType<typeof ask>> = {
      edge: () =>
        this.#record.keep('probe', 'GET a page of Keycloak', () =>
          fetch(`${realmUrl()}/.well-known/openid-configuration`),
        ),
      gateway: () => ask('GET', '/api/config'),
      identity: () => ask('GET', '/api/account/sessions'),
      creators: () => ask('GET', '/api/me'),
      offerings: () => ask('GET', '/api/me/offerings'),
      media: () => ask('POST', `/api/uploads/${randomUUID()}/complete`),
      contact: () => ask('GET', '/api/me/held-messages'),
      nats: () => ask('GET', '/api/me/offerings'),
      postgres: () => ask('GET', '/api/me'),
      // A refusal without a key also proves that the store answers.
      minio: () => this.#record.keep('probe', 'GET the store', () => fetch(theSystem().minio.endpoint)),
    };
    const answer = await probes[part]();
    return answer !== undefined && answer.status < 500;
  }
}

/** Resolves to the time at which the wire is restored. */
async function disturbWire(
  to: FaultyPart,
  wire: keyof typeof badWires,
  forMs: number,
  user: string | undefined,
): Promise<number> {
  const { wires } = theSystem();
  const part = partsWithDisk.find((one) => one === to);
  if (!wires || !part) throw new Error(`There is no wire to ${to}.`);
  const faults = new WireFaults(wires, user);
  await faults.add(part, badWires[wire]);
  await pause(forMs);
  await faults.remove(part, badWires[wire]);
  return performance.now();
}

/** Retries, because an app may give up while a part that it needs is away. */
async function startWithRetries(name: string): Promise<void> {
  const since = performance.now();
  for (;;) {
    try {
      return await controlProcess('start', name);
    } catch (error) {
      if (performance.now() - since > givenUpMs) throw error;
      await pause(probeIntervalMs);
    }
  }
}
