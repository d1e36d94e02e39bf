import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readSiteTokens, SITE_FONTS, THEME_FONTS, THEME_TOKENS, themeTokens } from './theme-tokens.ts';

const site = await readSiteTokens();
const mail = new URL('../../../deploy/keycloak/themes/stoa/email/html/template.ftl', import.meta.url);

describe("Keycloak's pages and mails", () => {
  it('have the design tokens of the site (npm run theme-tokens -w @stoa/realm)', async () => {
    expect(await readFile(THEME_TOKENS, 'utf8')).toBe(themeTokens(site));
  });

  it('have a font face for each font file', async () => {
    const files = (await readdir(THEME_FONTS)).filter((name) => name.endsWith('.woff2'));
    const css = await readFile(THEME_TOKENS, 'utf8');
    expect(files.filter((name) => !css.includes(`url('../fonts/${name}')`))).toEqual([]);
  });

  it('have the fonts of the site, with their licences', async () => {
    const names = (await readdir(SITE_FONTS)).filter((name) => !name.endsWith('.md'));
    expect(await readdir(THEME_FONTS)).toEqual(names);
    for (const name of names)
      expect((await readFile(join(THEME_FONTS, name))).equals(await readFile(join(SITE_FONTS, name)))).toBe(
        true,
      );
  });

  it('use only colours of the site in mails', async () => {
    const colours = (await readFile(mail, 'utf8')).match(/#[0-9a-f]{6}\b/gi) ?? [];
    expect(colours).not.toHaveLength(0);
    for (const colour of colours) expect(site).toContain(colour);
  });
});

describe('themeTokens', () => {
  it('keeps :root, @font-face and theme values, and drops aliases', () => {
    const css = ":root {\n  --ink: #000;\n}\n\n:root[data-theme='dark'] {\n  color-scheme: dark;\n}\n\n";
    const tokens = themeTokens(
      `${css}@theme inline {\n  --color-ink: var(--ink);\n  --radius-card: 12px;\n}\n`,
    );
    expect(tokens).toContain('--ink: #000;');
    expect(tokens).toContain("data-theme='dark'");
    expect(tokens).toContain('--radius-card: 12px;');
    expect(tokens).not.toContain('--color-ink');
    const face = "@font-face {\n  src: url('./fonts/a.woff2');\n}\n";
    expect(themeTokens(face)).toContain("src: url('../fonts/a.woff2')");
  });
});
