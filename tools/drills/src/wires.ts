import { goProgram, goPrograms } from '@stoa/system/fetch/go-programs';
import { spawnTracked } from '@stoa/system/processes/spawn-tracked';
import { plainReporter } from '@stoa/system/progress';
import type { Ports } from '@stoa/system/settings/ports';
import {
  everyone,
  freeWires,
  wireEndsOf,
  type WiredPart,
  wireName,
  type Wires,
  wiresProcess,
  wiresUrl,
} from '@stoa/system/testing/wires';
import { waitFor } from '@stoa/system';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { theSystem } from '@stoa/e2e/system';

/** A fault of one direction of a wire, in Toxiproxy's terms; downstream is from the part. */
export interface Toxic {
  readonly type: 'latency' | 'bandwidth' | 'timeout';
  readonly stream: 'upstream' | 'downstream';
  readonly attributes: Readonly<Record<string, number>>;
}

const downstream = 'downstream';
const upstream = 'upstream';

/** The kinds of bad wires that still connect. */
export const badWires = {
  'a second late': [{ type: 'latency', stream: downstream, attributes: { latency: 1000, jitter: 500 } }],
  'narrow (2 KB/s)': [{ type: 'bandwidth', stream: downstream, attributes: { rate: 2 } }],
  silent: [{ type: 'timeout', stream: downstream, attributes: { timeout: 0 } }],
  'half open': [{ type: 'timeout', stream: upstream, attributes: { timeout: 0 } }],
} as const satisfies Record<string, readonly Toxic[]>;

/** Adds faults to wires, and removes them. */
export class WireFaults {
  readonly #wires: Wires;
  readonly #of: string;

  /** @param of The process that uses the wires; without wires of its own it uses the shared ones. */
  constructor(wires: Wires, of = everyone) {
    this.#wires = wires;
    this.#of = of;
  }

  /** Adds the faults, also to existing connections. */
  async add(part: WiredPart, toxics: readonly Toxic[]): Promise<void> {
    for (const { type, stream, attributes } of toxics)
      await this.#post(`${this.#wireTo(part)}/toxics`, {
        name: `${type}-${stream}`,
        type,
        stream,
        attributes,
      });
  }

  /** Removes the faults. Connections that lost bytes are closed, so that they cannot continue in a wrong state. */
  async remove(part: WiredPart, toxics: readonly Toxic[]): Promise<void> {
    const swallows = toxics.some(({ type }) => type === 'timeout');
    const wire = this.#wireTo(part);
    if (swallows) await this.#post(wire, { enabled: false });
    for (const { type, stream } of toxics) await this.#ask('DELETE', `${wire}/toxics/${type}-${stream}`);
    if (swallows) await this.#post(wire, { enabled: true });
  }

  async removeAll(): Promise<void> {
    await this.#post('reset');
  }

  #wireTo(part: WiredPart): string {
    return `proxies/${wireName(this.#of, part, this.#wires)}`;
  }

  #post(path: string, body?: unknown): Promise<void> {
    return this.#ask('POST', path, body);
  }

  async #ask(method: string, path: string, body?: unknown): Promise<void> {
    const response = await fetch(`${wiresUrl(this.#wires)}/${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  }
}

/** Wires to the parts of the running system, for processes that a test starts itself. */
export async function startWires(): Promise<{ ports: Ports; faults: WireFaults; stop: () => void }> {
  const program = await goProgram(goPrograms.toxiproxy, plainReporter(() => undefined).task('wires'));
  const folder = mkdtempSync(join(tmpdir(), 'stoa-wires-'));
  const { ports: real } = theSystem();
  const wires = await freeWires();
  const { command, args, env, ready } = wiresProcess(program, folder, real, wires);
  const { stop } = spawnTracked(command, args, env);
  await waitFor(async () => {
    if (!(await ready())) throw new Error('The wires are not there yet.');
  });
  // Other parts have no wire and are reached directly.
  return {
    ports: { ...real, ...wireEndsOf(everyone, wires) },
    faults: new WireFaults(wires),
    stop: () => {
      stop();
      rmSync(folder, { recursive: true });
    },
  };
}
