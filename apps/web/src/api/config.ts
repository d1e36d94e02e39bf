import type { SiteConfig } from '@stoa/contracts';
import { get } from './http.ts';

let config: SiteConfig | undefined;

/** Reads the configuration that the gateway embeds in the page. A page without it fetches it. */
export async function loadConfig(): Promise<SiteConfig> {
  config = readEmbeddedJson<SiteConfig>('stoa-config') ?? (await get<SiteConfig>('/api/config'));
  return config;
}

/** Parses the JSON that the gateway embedded in the page under this id. */
export function readEmbeddedJson<T>(id: string): T | undefined {
  const written = document.getElementById(id)?.textContent;
  return written ? (JSON.parse(written) as T) : undefined;
}

export function siteConfig(): SiteConfig {
  if (!config) throw new Error('The configuration has not been loaded yet.');
  return config;
}

/**
 * Whether the page was stale when the gateway sent it. `Server-Timing` is the only response header that a page's
 * scripts can read.
 */
export function pageIsStale(): boolean {
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  // Firefox exposes `serverTiming` in secure contexts only.
  const timings = page && 'serverTiming' in page ? page.serverTiming : [];
  return timings.some(({ name, duration }) => name === 'age' && duration > 0);
}
