import { setTimeout as pause } from 'node:timers/promises';
import { fetchApi } from '@stoa/e2e/api';
import type { Gateway } from '../fault-drill/load-balancer.ts';

const pages = ['/', '/about', '/browse-creators', '/dashboard'];
const betweenRoundsMs = 250;
/** The timeout of Kubernetes probes in milliseconds. */
const probeMs = 1000;
/** Files of earlier pages to request per round, as open tabs do. */
const olderPerRound = 3;

/**
 * Readers who get a page from one gateway and its scripts, styles and fonts from the other, and old tabs that request
 * their files from both. All files must exist, whatever the releases of the gateways.
 */
export class MixedReaders {
  /** Files requested from a gateway that did not serve their page. */
  requested = 0;
  /** Files that were missing, with the gateway. */
  readonly missing = new Set<string>();
  /** Refusals that do not count: a load balancer would not have used this gateway, which was just found unready. */
  excused = 0;
  readonly #gateways: readonly Gateway[];
  readonly #named = new Set<string>();
  #running: Promise<void> | undefined;
  #going = true;

  constructor(gateways: readonly Gateway[]) {
    this.#gateways = gateways;
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#going = false;
    await this.#running;
  }

  async #run(): Promise<void> {
    for (let round = 0; this.#going; round += 1) {
      const page = pages[round % pages.length] ?? '/';
      for (const from of this.#gateways) {
        const names = await namedBy(from, page);
        const older = [...this.#named].toSorted(() => Math.random() - 0.5).slice(0, olderPerRound);
        for (const name of names) this.#named.add(name);
        for (const other of this.#gateways)
          for (const name of other === from ? older : [...names, ...older])
            await this.#ask(other, name, page);
      }
      await pause(betweenRoundsMs);
    }
  }

  async #ask({ site, healthPort }: Gateway, name: string, page: string): Promise<void> {
    const wasReady = await isReady(healthPort);
    const response = await answerOf(site, name);
    if (!response) return;
    this.requested += 1;
    if (response.ok) return;
    if (response.status === 503 && !wasReady) {
      this.excused += 1;
      return;
    }
    this.missing.add(`${name}, named by ${page}: ${response.status} at ${site} (${response.text})`);
  }
}

/** Returns undefined for a gateway that is being replaced, to which no load balancer sends requests. */
async function answerOf(
  site: string,
  path: string,
): Promise<{ ok: boolean; status: number; text: string } | undefined> {
  try {
    const response = await fetchApi('GET', path, { site });
    return { ok: response.ok, status: response.status, text: await response.text() };
  } catch {
    return undefined;
  }
}

/** No load balancer uses a gateway that starts, stops or does not answer the probe in time. */
const isReady = (healthPort: number) =>
  fetch(`http://127.0.0.1:${healthPort}/health/ready`, { signal: AbortSignal.timeout(probeMs) }).then(
    ({ ok }) => ok,
    () => false,
  );

/** The built files of a page and all of its scripts, without which it does not work. */
export function filesNamedIn(html: string): string[] {
  const assets = html.match(/\/assets\/[\w.-]+/g) ?? [];
  const scripts = [...html.matchAll(/<script\b[^>]*\ssrc="(\/[^"]+)"/g)].map(([, src = '']) => src);
  return [...new Set([...assets, ...scripts])];
}

async function namedBy({ site }: Gateway, page: string): Promise<string[]> {
  const html = await answerOf(site, page);
  return filesNamedIn(html?.text ?? '');
}
