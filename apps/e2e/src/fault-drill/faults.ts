import { type App, apps } from '@stoa/system';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { controlProcess, pidOf } from '../process-control.ts';
import { realmUrl, theSystem } from '../system.ts';
import { badWires, WireFaults } from '../wires.ts';
import { diskOf, fillDisk } from './ballast.ts';
import type { CallRecord } from './call-record.ts';
import { type Fault, type FaultKind, type FaultyPart, faultyParts, partsWithDisk } from './fault-plan.ts';

/** How long a part took until what only it can answer was answered again. */
export interface Recovery {
  readonly part: FaultyPart;
  readonly kind: FaultKind;
  readonly ms: number;
  /** From when to when it was hit or away, by `performance.now()`. */
  readonly from: number;
  readonly to: number;
  /** Whether nothing else was away meanwhile. */
  readonly alone: boolean;
}

const betweenProbesMs = 25;
/** Of a slow part every answer is late by up to this, as over a bad wire, and nothing it says is lost. */
const slowForMs = 150;
const quickForMs = 50;
const probeMs = 1000;
/** A part that is away for longer does not come back. */
const givenUpMs = 120_000;

const isReplicated = (part: FaultyPart) => part !== 'edge' && isApp(part) && !!theSystem().replicaPorts;
const isApp = (part: FaultyPart): part is App => apps.some((app) => app === part);

/** Of two replicas the other answers calls: one is back when it would be sent some. */
async function isReady(part: FaultyPart, name: string): Promise<boolean> {
  const { ports, replicaPorts } = theSystem();
  const { health } = name === part || !replicaPorts ? ports : replicaPorts;
  const port = health + apps.findIndex((app) => app === part);
  return fetch(`http://127.0.0.1:${port}/health/ready`, { signal: AbortSignal.timeout(probeMs) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Does faults to a running system, and waits for what they hit. */
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

  /** Begins a fault, and the wait for its end; one that hits a part that is away comes once that is back. */
  strike(fault: Fault): void {
    const before = this.#away.get(fault.part) ?? Promise.resolve();
    const work = before.then(() => this.#do(fault));
    const ended = work.finally(() => {
      if (this.#away.get(fault.part) === ended) this.#away.delete(fault.part);
    });
    this.#away.set(fault.part, ended);
    // It is told to whoever waits for all of them.
    ended.catch(() => undefined);
  }

  /** Waits until every part is back. */
  async over(): Promise<void> {
    while (this.#away.size > 0) await Promise.all(this.#away.values());
    await Promise.all(faultyParts.map((part) => this.#untilBack(part, part)));
  }

  async #do({ part, kind, second, forMs, wire, wireOf }: Fault): Promise<void> {
    const replica = (of: FaultyPart) => (second && isReplicated(of) ? `${of}-2` : of);
    const name = replica(part);
    this.#everAway += 1;
    const struck = this.#everAway;
    const others = this.#away.size - 1;
    const from = performance.now();
    const user = wireOf && replica(wireOf);
    const begun = wire ? await spoilWire(part, wire, forMs, user) : await this.#hit(name, kind, forMs);
    if (wireOf && user) await this.#untilBack(wireOf, user);
    await this.#untilBack(part, name);
    const alone = others === 0 && this.#everAway === struck;
    const to = performance.now();
    this.recoveries.push({ part, kind, ms: to - begun, from, to, alone });
  }

  /** Answers when it could have come back: at once when killed, when it is started or let go otherwise. */
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
      await startSurely(name);
      return begun;
    }
    const before = await pidOf(name);
    const begun = performance.now();
    await controlProcess('kill', name);
    while ([null, before].includes(await pidOf(name))) {
      if (performance.now() - begun > givenUpMs) throw new Error(`${name} is not started again.`);
      await pause(betweenProbesMs);
    }
    return begun;
  }

  async #untilBack(part: FaultyPart, name: string): Promise<void> {
    const since = performance.now();
    const token = await this.#token();
    while (!(await (isReplicated(part) ? isReady(part, name) : this.#answers(part, token)))) {
      if (performance.now() - since > givenUpMs) throw new Error(`${name} does not come back.`);
      await pause(betweenProbesMs);
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
      // It refuses who brings no key: an answer all the same.
      minio: () => this.#record.keep('probe', 'GET the store', () => fetch(theSystem().minio.endpoint)),
    };
    const answer = await probes[part]();
    return answer !== undefined && answer.status < 500;
  }
}

/** Answers when the wire is good again. */
async function spoilWire(
  to: FaultyPart,
  wire: keyof typeof badWires,
  forMs: number,
  user: string | undefined,
): Promise<number> {
  const { wires } = theSystem();
  const part = partsWithDisk.find((one) => one === to);
  if (!wires || !part) throw new Error(`There is no wire to ${to}.`);
  const faults = new WireFaults(wires, user);
  await faults.spoil(part, badWires[wire]);
  await pause(forMs);
  await faults.mend(part, badWires[wire]);
  return performance.now();
}

/** An app that is started while what it needs is away may give up. */
async function startSurely(name: string): Promise<void> {
  const since = performance.now();
  for (;;) {
    try {
      return await controlProcess('start', name);
    } catch (error) {
      if (performance.now() - since > givenUpMs) throw error;
      await pause(betweenProbesMs);
    }
  }
}
