import { setTimeout as pause } from 'node:timers/promises';
import { fetchApi } from '../api.ts';
import type { Gateway } from '../fault-drill/load-balancer.ts';

const pages = ['/', '/about', '/browse-creators', '/dashboard'];
const betweenRoundsMs = 250;
/** As the probes of Kubernetes wait. */
const probeMs = 1000;
/** Of what former pages have named, as tabs that stay open ask for it. */
const olderAtOnce = 3;

/**
 * Readers whose page comes from one gateway and its scripts, styles and fonts from the other, and tabs of long ago that
 * ask either for theirs: whatever release which of them is of, all must be there.
 */
export class MixedReaders {
  /** Files that were looked for where their page did not come from. */
  asked = 0;
  /** What was not there, with the release that it was looked for at. */
  readonly missing = new Set<string>();
  /** Answers that do not count: refusals of a gateway that no load balancer would have asked, since it had just been found not ready. */
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
        const older = [...this.#named].toSorted(() => Math.random() - 0.5).slice(0, olderAtOnce);
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
    this.asked += 1;
    if (response.ok) return;
    if (response.status === 503 && !wasReady) {
      this.excused += 1;
      return;
    }
    this.missing.add(`${name}, named by ${page}: ${response.status} at ${site} (${response.text})`);
  }
}

/** None of a gateway that is just being replaced, to which no load balancer sends anybody. */
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

/** To one that begins or ends, or that does not say in time, no load balancer sends anybody. */
const isReady = (healthPort: number) =>
  fetch(`http://127.0.0.1:${healthPort}/health/ready`, { signal: AbortSignal.timeout(probeMs) }).then(
    ({ ok }) => ok,
    () => false,
  );

/** The built files of a page and every script of it, whatever it is called: a page is dead without. */
export function filesNamedIn(html: string): string[] {
  const assets = html.match(/\/assets\/[\w.-]+/g) ?? [];
  const scripts = [...html.matchAll(/<script\b[^>]*\ssrc="(\/[^"]+)"/g)].map(([, src = '']) => src);
  return [...new Set([...assets, ...scripts])];
}

async function namedBy({ site }: Gateway, page: string): Promise<string[]> {
  const html = await answerOf(site, page);
  return filesNamedIn(html?.text ?? '');
}
