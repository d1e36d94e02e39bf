import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const inRepository = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/** The design system's colours, type and corners. */
const SITE_TOKENS = inRepository('apps/web/src/ui/tokens.css');

/** Font faces of rarer letters, which the site declares after its first screen. */
const SITE_LATE_FONTS = inRepository('apps/web/src/ui/late-fonts.css');

/** Keycloak serves a copy, so that its pages keep their style while the site is down. */
export const THEME_TOKENS = inRepository('deploy/keycloak/themes/stoa/login/resources/css/tokens.css');

/** The site's font files, and Keycloak's copy of them. */
export const SITE_FONTS = inRepository('apps/web/src/ui/fonts');
export const THEME_FONTS = inRepository('deploy/keycloak/themes/stoa/login/resources/fonts');

const NOTE =
  '/* Written from apps/web/src/ui/tokens.css and late-fonts.css by `npm run theme-tokens -w @stoa/realm`. */';

/** Reads the design tokens that Keycloak's pages need. */
export async function readSiteTokens(): Promise<string> {
  const files = await Promise.all([SITE_TOKENS, SITE_LATE_FONTS].map((path) => readFile(path, 'utf8')));
  return files.join('\n');
}

/** Converts the site's tokens to plain CSS, without syntax that only its build understands. */
export function themeTokens(site: string): string {
  const fonts = site.match(/^@font-face[^{]*\{[^}]*\}/gm) ?? [];
  const colours = site.match(/^:root[^{]*\{[^}]*\}/gm) ?? [];
  const others = site.match(/--(?:font|radius|shadow)-[\w-]+:\s*[^;]+;/g) ?? [];
  const css = [NOTE, ...fonts, ...colours, `:root {\n  ${others.join('\n  ')}\n}`].join('\n\n') + '\n';
  return css.replaceAll("url('./fonts/", "url('../fonts/");
}
