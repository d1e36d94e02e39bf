import { apps } from '@stoa/system';
import { setTimeout as pause } from 'node:timers/promises';
import { fetchApi, type RequestOptions } from '@stoa/e2e/api';
import { theSystem } from '@stoa/e2e/system';

export interface Gateway {
  readonly site: string;
  readonly healthPort: number;
}

/** A read goes to the other gateway if its answer does not begin within this time. An answer that has begun is passed on. */
const readWithinMs = 400;
/** Milliseconds for which a gateway that did not answer is avoided while another one is ready. */
const avoidedMs = 1000;
const betweenProbesMs = 200;
const probeMs = 500;

const wasRefused = (error: unknown) =>
  error instanceof TypeError && (error.cause as { code?: string } | undefined)?.code === 'ECONNREFUSED';

/** The gateways of the running system. */
function gateways({ siteUrl, ports, replicaPorts } = theSystem()): Gateway[] {
  const at = apps.indexOf('gateway');
  const first = { site: siteUrl, healthPort: ports.health + at };
  if (!replicaPorts) return [first];
  return [first, { site: `http://127.0.0.1:${replicaPorts.site}`, healthPort: replicaPorts.health + at }];
}

/**
 * Shares calls among the ready gateways, like an Ingress (k8s/components/ingress). A call that was not accepted goes
 * to the other gateway, and so does a read without an answer or with 503. With one gateway it passes every call on.
 */
export class LoadBalancer {
  readonly #gateways: readonly Gateway[];
  readonly #unready = new Set<Gateway>();
  readonly #avoidedUntil = new Map<Gateway, number>();
  #turn = 0;

  constructor(among: readonly Gateway[] = gateways()) {
    this.#gateways = among;
    if (among.length > 1) for (const gateway of among) void this.#probe(gateway);
  }

  async ask(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
    const [first, second] = this.#inTurns();
    if (!first) throw new Error('There is no gateway.');
    const isRead = method === 'GET';
    // Waits without a limit if no other gateway could answer sooner.
    const hasOther = second !== undefined && !this.#isAvoided(second);
    const elsewhere = () => fetchApi(method, path, { ...options, site: (second ?? first).site });
    let response: Response;
    try {
      const patience = isRead && hasOther ? { beginsWithinMs: readWithinMs } : {};
      response = await fetchApi(method, path, { ...options, site: first.site, ...patience });
    } catch (error) {
      this.#avoidedUntil.set(first, performance.now() + avoidedMs);
      if (!second || !(isRead || wasRefused(error))) throw error;
      return elsewhere();
    }
    if (!isRead || !hasOther || response.status !== 503) return response;
    await response.body?.cancel();
    return elsewhere();
  }

  /** Gateways that are unready, or did not answer recently, come last. */
  #inTurns(): Gateway[] {
    this.#turn += 1;
    const turned = this.#turn % 2 === 0 ? this.#gateways : this.#gateways.toReversed();
    return turned.toSorted((a, b) => Number(this.#isAvoided(a)) - Number(this.#isAvoided(b)));
  }

  #isAvoided(gateway: Gateway): boolean {
    return this.#unready.has(gateway) || (this.#avoidedUntil.get(gateway) ?? 0) > performance.now();
  }

  /** Probes the gateway until the drill ends. */
  async #probe(gateway: Gateway): Promise<never> {
    const address = `http://127.0.0.1:${gateway.healthPort}/health/ready`;
    for (;;) {
      const isReady = await fetch(address, { signal: AbortSignal.timeout(probeMs) }).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isReady) this.#unready.delete(gateway);
      else this.#unready.add(gateway);
      await pause(betweenProbesMs, undefined, { ref: false });
    }
  }
}
