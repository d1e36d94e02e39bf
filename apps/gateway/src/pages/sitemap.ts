import { type OfferingEntry, paths, type ProfileEntry } from '@stoa/contracts';
import { html, type Html } from '../http/html.ts';

interface Place {
  readonly path: string;
  readonly changedAt?: string;
}

/** Renders a sitemap (sitemaps.org, 0.9). `site` is the public address without a trailing slash. */
export function sitemap(site: string, places: readonly Place[]): string {
  const entries = places.map(
    ({ path, changedAt }) =>
      html`<url><loc>${site}${path}</loc>${changedAt ? html`<lastmod>${changedAt}</lastmod>` : html``}</url>\n`,
  );
  return document(html`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries}</urlset>`);
}

/** Renders an index of the sitemaps at these paths. */
export function sitemapIndex(site: string, paths: readonly string[]): string {
  const entries = paths.map((path) => html`<sitemap><loc>${site}${path}</loc></sitemap>\n`);
  return document(
    html`<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries}</sitemapindex>`,
  );
}

export function profilePlace({ username, updatedAt }: ProfileEntry): Place {
  return { path: paths.profile(username), changedAt: updatedAt };
}

export function offeringPlace({ username }: ProfileEntry, { slug, updatedAt }: OfferingEntry): Place {
  return { path: paths.offering(username, slug), changedAt: updatedAt };
}

function document(root: Html): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root.text}\n`;
}
