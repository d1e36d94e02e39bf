import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { SITE_FONTS, SITE_TOKENS, THEME_FONTS, THEME_TOKENS, themeTokens } from './theme-tokens.ts';

await writeFile(THEME_TOKENS, themeTokens(await readFile(SITE_TOKENS, 'utf8')));
await rm(THEME_FONTS, { recursive: true, force: true });
await cp(SITE_FONTS, THEME_FONTS, { recursive: true, filter: (name) => !name.endsWith('.md') });
