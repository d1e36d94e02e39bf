import type { SiteConfig } from '@stoa/contracts';
import { get } from './http.ts';

let config: SiteConfig | undefined;

/** The gateway writes the configuration into the page; a page served without it asks for it. */
export async function loadConfig(): Promise<SiteConfig> {
  const written = document.getElementById('stoa-config')?.textContent;
  config = written ? (JSON.parse(written) as SiteConfig) : await get<SiteConfig>('/api/config');
  return config;
}

export function siteConfig(): SiteConfig {
  if (!config) throw new Error('The configuration is read before anything is shown.');
  return config;
}
