import type { SiteConfig } from '@stoa/contracts';
import { get } from './http.ts';

let config: SiteConfig | undefined;

/** The gateway writes the configuration into the page; a page served without it asks for it. */
export async function loadConfig(): Promise<SiteConfig> {
  config = readWritten<SiteConfig>('stoa-config') ?? (await get<SiteConfig>('/api/config'));
  return config;
}

/** What the gateway has written into the page under this id. */
export function readWritten<T>(id: string): T | undefined {
  const written = document.getElementById(id)?.textContent;
  return written ? (JSON.parse(written) as T) : undefined;
}

export function siteConfig(): SiteConfig {
  if (!config) throw new Error('The configuration is read before anything is shown.');
  return config;
}
