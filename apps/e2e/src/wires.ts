import { goProgram, goPrograms } from '@stoa/system/fetch/go-programs';
import { spawnTracked } from '@stoa/system/processes/spawn-tracked';
import { plainReporter } from '@stoa/system/progress';
import { freePorts, type Ports } from '@stoa/system/settings/ports';
import { type WiredPart, wiresProcess, wiresUrl } from '@stoa/system/testing/wires';
import { waitFor } from '@stoa/system';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { theSystem } from './system.ts';

/** What is done to one direction of a wire, as Toxiproxy calls it: downstream is what the part says. */
export interface Toxic {
  readonly type: 'latency' | 'bandwidth' | 'timeout';
  readonly stream: 'upstream' | 'downstream';
  readonly attributes: Readonly<Record<string, number>>;
}

const downstream = 'downstream';
const upstream = 'upstream';

/** The ways in which a wire is bad without being dead. */
export const badWires = {
  'a second late': [{ type: 'latency', stream: downstream, attributes: { latency: 1000, jitter: 500 } }],
  'narrow (2 KB/s)': [{ type: 'bandwidth', stream: downstream, attributes: { rate: 2 } }],
  'one that takes all and answers nothing': [
    { type: 'timeout', stream: downstream, attributes: { timeout: 0 } },
  ],
  'half open': [{ type: 'timeout', stream: upstream, attributes: { timeout: 0 } }],
} as const satisfies Record<string, readonly Toxic[]>;

/** Makes wires bad, and good again. */
export class WireFaults {
  readonly #url: string;

  constructor(wires: Ports) {
    this.#url = wiresUrl(wires);
  }

  /** Also what is connected already feels it. */
  async spoil(part: WiredPart, toxics: readonly Toxic[]): Promise<void> {
    for (const { type, stream, attributes } of toxics)
      await this.#post(`proxies/${part}/toxics`, { name: `${type}-${stream}`, type, stream, attributes });
  }

  /** Connections that bytes of were swallowed end: nothing that comes after them may count. */
  async mend(part: WiredPart, toxics: readonly Toxic[]): Promise<void> {
    const swallows = toxics.some(({ type }) => type === 'timeout');
    if (swallows) await this.#post(`proxies/${part}`, { enabled: false });
    for (const { type, stream } of toxics)
      await this.#ask('DELETE', `proxies/${part}/toxics/${type}-${stream}`);
    if (swallows) await this.#post(`proxies/${part}`, { enabled: true });
  }

  async mendAll(): Promise<void> {
    await this.#post('reset');
  }

  #post(path: string, body?: unknown): Promise<void> {
    return this.#ask('POST', path, body);
  }

  async #ask(method: string, path: string, body?: unknown): Promise<void> {
    const response = await fetch(`${this.#url}/${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  }
}

/** Wires to the parts of the running system, for processes that a test starts itself. */
export async function ownWires(): Promise<{ ports: Ports; faults: WireFaults; stop: () => void }> {
  const program = await goProgram(goPrograms.toxiproxy, plainReporter(() => undefined).task('wires'));
  const folder = mkdtempSync(join(tmpdir(), 'stoa-wires-'));
  const { ports: real } = theSystem();
  const wires = await freePorts();
  const { command, args, env, ready } = wiresProcess(program, folder, real, wires);
  const { stop } = spawnTracked(command, args, env);
  await waitFor(async () => {
    if (!(await ready())) throw new Error('The wires are not there yet.');
  });
  // Parts that no wire is made for are reached straight.
  return {
    ports: { ...real, nats: wires.nats, postgres: wires.postgres, minioInternal: wires.minioInternal },
    faults: new WireFaults(wires),
    stop: () => {
      stop();
      rmSync(folder, { recursive: true });
    },
  };
}
