import { fetchApi } from './api.ts';

const textOf = async (path: string) => (await fetchApi('GET', path)).text();
const partAddress = /<loc>[^<]*(\/sitemaps\/[^<]*)<\/loc>/g;

/** Reads the sitemap with all its parts. It has parts only if there are many creators. */
export async function readSitemap(): Promise<string> {
  const root = await textOf('/sitemap.xml');
  const parts = [...root.matchAll(partAddress)].map(([, path]) => textOf(String(path)));
  return [root, ...(await Promise.all(parts))].join('\n');
}
