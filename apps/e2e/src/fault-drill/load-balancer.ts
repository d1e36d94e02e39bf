import { fetchApi, type RequestOptions } from '../api.ts';
import { theSystem } from '../system.ts';

/** A read that is not answered for so long goes to the other gateway. */
const readWithinMs = 1000;
/** For how long a gateway that did not answer gets nothing while the other does. */
const avoidedMs = 1000;

const wasRefused = (error: unknown) =>
  error instanceof TypeError && (error.cause as { code?: string } | undefined)?.code === 'ECONNREFUSED';

/**
 * Shares calls out among the gateways as the Ingress does (k8s/components/ingress): what nobody took goes to the other, as
 * does a read that got no answer, or 503. With one gateway it hands every call on as it is.
 */
export class LoadBalancer {
  readonly #sites: readonly string[];
  readonly #avoidedUntil = new Map<string, number>();
  #turn = 0;

  constructor({ siteUrl, replicaPorts } = theSystem()) {
    this.#sites = [siteUrl, ...(replicaPorts ? [`http://127.0.0.1:${replicaPorts.site}`] : [])];
  }

  async ask(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
    const [site, other] = this.#inOrder();
    if (!other) return fetchApi(method, path, options);
    const isRead = method === 'GET';
    try {
      const own = { ...options, site, ...(isRead && { withinMs: readWithinMs }) };
      const response = await fetchApi(method, path, own);
      if (!isRead || response.status !== 503) return response;
      await response.text();
      return fetchApi(method, path, { ...options, site: other });
    } catch (error) {
      if (site) this.#avoidedUntil.set(site, performance.now() + avoidedMs);
      if (!isRead && !wasRefused(error)) throw error;
      return fetchApi(method, path, { ...options, site: other });
    }
  }

  /** In turns, those that lately did not answer last. */
  #inOrder(): string[] {
    this.#turn += 1;
    const turned = this.#turn % 2 === 0 ? this.#sites : this.#sites.toReversed();
    const now = performance.now();
    const isAvoided = (site: string) => (this.#avoidedUntil.get(site) ?? 0) > now;
    return turned.toSorted((a, b) => Number(isAvoided(a)) - Number(isAvoided(b)));
  }
}
