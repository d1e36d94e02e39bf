import type { SiteConfig } from '@stoa/contracts';
import { get } from './http.ts';

let config: SiteConfig | undefined;

/** The gateway writes the configuration into the page; a page served without it asks for it. */
export async function loadConfig(): Promise<SiteConfig> {
  config = readEmbeddedJson<SiteConfig>('stoa-config') ?? (await get<SiteConfig>('/api/config'));
  return config;
}

/** What the gateway has written into the page under this id. */
export function readEmbeddedJson<T>(id: string): T | undefined {
  const written = document.getElementById(id)?.textContent;
  return written ? (JSON.parse(written) as T) : undefined;
}

export function siteConfig(): SiteConfig {
  if (!config) throw new Error('The configuration is read before anything is shown.');
  return config;
}

/** How old the page was when it was sent. Scripts read no headers of their page but this one. */
export function pageAgeMs(): number {
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  // Firefox tells it to secure contexts alone.
  const timings = page && 'serverTiming' in page ? page.serverTiming : [];
  return timings.find(({ name }) => name === 'age')?.duration ?? 0;
}
