import { readFile, writeFile } from 'node:fs/promises';
import { SITE_TOKENS, THEME_TOKENS, themeTokens } from './theme-tokens.ts';

await writeFile(THEME_TOKENS, themeTokens(await readFile(SITE_TOKENS, 'utf8')));
