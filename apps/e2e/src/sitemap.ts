import { fetchApi } from './api.ts';

const textOf = async (path: string) => (await fetchApi('GET', path)).text();
const partAddress = /<loc>[^<]*(\/sitemaps\/[^<]*)<\/loc>/g;

/** The whole sitemap: with its parts, into which it falls once enough creators are there. */
export async function readSitemap(): Promise<string> {
  const root = await textOf('/sitemap.xml');
  const parts = [...root.matchAll(partAddress)].map(([, path]) => textOf(String(path)));
  return [root, ...(await Promise.all(parts))].join('\n');
}
