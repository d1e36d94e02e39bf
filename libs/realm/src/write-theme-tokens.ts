import { cp, rm, writeFile } from 'node:fs/promises';
import { readSiteTokens, SITE_FONTS, THEME_FONTS, THEME_TOKENS, themeTokens } from './theme-tokens.ts';

await writeFile(THEME_TOKENS, themeTokens(await readSiteTokens()));
await rm(THEME_FONTS, { recursive: true, force: true });
await cp(SITE_FONTS, THEME_FONTS, { recursive: true, filter: (name) => !name.endsWith('.md') });
