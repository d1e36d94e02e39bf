import { paletteAccents, paletteGrounds, paletteLabels } from '@stoa/contracts/choices';
import { defaultPalette } from '@stoa/contracts/facts';
import { expect, it } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');
/** The tokens that each palette changes. */
const palettes = new Map(
  [...readFileSync(join(import.meta.dirname, 'palettes.css'), 'utf8').matchAll(/='(\w+)'\] \{(.*?)\}/gs)].map(
    ([, name = '', tokens = '']) => [name, tokens],
  ),
);

function colorsOf(name: string, palette: string = defaultPalette): [light: string, dark: string] {
  const token = new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`);
  const [, light, dark] = token.exec(palettes.get(palette) ?? '') ?? token.exec(css) ?? [];
  if (!light || !dark) throw new Error(`tokens.css has no ${name}.`);
  return [light, dark];
}

const at = (token: string, theme: number, palette: string): string =>
  colorsOf(token, palette)[theme] as string;

/** The relative luminance of WCAG 2.2. */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((start) => Number.parseInt(color.slice(start, start + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(text: string, ground: string): number {
  const [dark = 0, light = 0] = [luminanceOf(text), luminanceOf(ground)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

// The colours of a gradient are between its two ends, so text readable on both ends is readable on all of it.
const pairs = [
  ...['ink', 'muted', 'accent', 'accent-strong', 'success', 'danger'].flatMap((text) =>
    ['paper', 'surface', 'sunk'].map((ground) => [text, ground] as const),
  ),
  ['accent-strong', 'accent-soft'] as const,
  ['on-accent', 'accent'] as const,
  ['success', 'success-soft'] as const,
  ['danger', 'danger-soft'] as const,
];

it.each(pairs)(
  'text in %s on %s has a contrast of at least 4.5:1 in both themes (WCAG AA) [web-107]',
  (text, ground) => {
    const grounds = colorsOf(ground);
    for (const [theme, color] of colorsOf(text).entries())
      expect(contrast(color, grounds[theme] as string)).toBeGreaterThanOrEqual(4.5);
  },
);

/** `color` with this opacity over `ground`. */
function mixed(color: string, ground: string, opacity: number): string {
  const parts = [1, 3, 5].map((start) => {
    const [top = 0, bottom = 0] = [color, ground].map((one) =>
      Number.parseInt(one.slice(start, start + 2), 16),
    );
    return Math.round(top * opacity + bottom * (1 - opacity))
      .toString(16)
      .padStart(2, '0');
  });
  return `#${parts.join('')}`;
}

// As `Placeholder` in avatar.tsx: an arch over a paler ground over `sunk`.
it.each(['clay', 'olive', 'sea', 'plum', 'sand'])(
  'the initial of a missing picture has a contrast of at least 4.5:1 on %s in both themes [web-108]',
  (name) => {
    for (const theme of [0, 1] as const) {
      const color = colorsOf(name)[theme];
      const arch = mixed(color, mixed(color, colorsOf('sunk')[theme], 0.35), 0.75);
      expect(contrast(colorsOf('ink')[theme], arch)).toBeGreaterThanOrEqual(4.5);
    }
  },
);

it.each(['ink', 'accent', 'accent-strong'])(
  'text in %s in the opaque header has a contrast of at least 4.5:1',
  (text) => {
    for (const theme of [0, 1] as const)
      expect(contrast(colorsOf(text)[theme], colorsOf('paper')[theme])).toBeGreaterThanOrEqual(4.5);
  },
);

it("the colour of the browser's bars is the paper of each palette and theme [web-109]", () => {
  const papers = Object.keys(paletteLabels).map((name) => [name, colorsOf('paper', name)]);
  expect(paletteGrounds).toEqual(Object.fromEntries(papers));
});

it("an embedded profile has its palette's accent, and a readable button in both themes", () => {
  const names = Object.keys(paletteLabels);
  const accents = names.map((name) => [name, colorsOf('accent', name)]);
  expect(paletteAccents).toEqual(Object.fromEntries(accents));
  for (const name of names)
    for (const theme of [0, 1] as const) {
      const [ground, accent] = [colorsOf('paper', name)[theme], colorsOf('accent', name)[theme]];
      expect(contrast(ground, accent)).toBeGreaterThanOrEqual(4.5);
    }
});

const chosen = Object.keys(paletteLabels).filter((name) => name !== defaultPalette);

it('each palette but the default has its own colours', () => {
  expect([...palettes.keys()]).toEqual(chosen);
});

it.each(chosen)(
  'the palette %s has a contrast of 4.5:1 for text, 3:1 for edges and focus (WCAG AA) [web-110]',
  (name) => {
    const low = [
      ...pairs.map((pair) => [...pair, 4.5] as const),
      ...['ink', 'muted'].map((text) => [text, 'accent-soft', 4.5] as const),
      ['on-accent', 'accent-strong', 4.5] as const,
      ...['edge', 'ring'].flatMap((sign) =>
        ['paper', 'surface', 'sunk'].map((ground) => [sign, ground, 3] as const),
      ),
    ].filter(([text, ground, least]) =>
      [0, 1].some((theme) => contrast(at(text, theme, name), at(ground, theme, name)) < least),
    );
    expect(low).toEqual([]);
  },
);

it.each(chosen)('in the palette %s the header and initials are readable on every ground', (name) => {
  for (const theme of [0, 1]) {
    const [paper, ink] = [at('paper', theme, name), at('ink', theme, name)];
    for (const text of ['ink', 'accent', 'accent-strong'])
      for (const behind of ['#000000', '#ffffff'])
        expect(contrast(at(text, theme, name), mixed(paper, behind, 0.95))).toBeGreaterThanOrEqual(4.5);
    for (const pigment of ['clay', 'olive', 'sea', 'plum', 'sand']) {
      const color = at(pigment, theme, name);
      const arch = mixed(color, mixed(color, at('sunk', theme, name), 0.35), 0.75);
      expect(contrast(ink, arch)).toBeGreaterThanOrEqual(4.5);
    }
  }
});

it('corners have the radius of a card, of a field, or are round', () => {
  const source = join(import.meta.dirname, '..');
  const others = globSync('**/*.tsx', { cwd: source }).flatMap((file) =>
    [...readFileSync(join(source, file), 'utf8').matchAll(/(?<=[\s"'`:])rounded(-[\w-]+)?(?=[\s"'`])/g)]
      .map(([name]) => name)
      .filter((name) => !/^rounded-([btlr]-)?(card|field|full|none)$/.test(name))
      .map((name) => `${file}: ${name}`),
  );
  expect(others).toEqual([]);
});

/** In OKLab, whose distances approximate perceived differences (https://bottosson.github.io/posts/oklab/). */
function oklab(color: string): [lightness: number, a: number, b: number] {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((start) => Number.parseInt(color.slice(start, start + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const middle = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * long + 0.793617785 * middle - 0.0040720468 * short,
    1.9779984951 * long - 2.428592205 * middle + 0.4505937099 * short,
    0.0259040371 * long + 0.7827717662 * middle - 0.808675766 * short,
  ];
}

function distance(one: string, other: string): number {
  const [from, to] = [oklab(one), oklab(other)];
  return Math.hypot(...from.map((part, index) => part - (to[index] ?? 0)));
}

const inEachTheme = Object.keys(paletteLabels).flatMap((name) =>
  [0, 1].map((theme) => [name, theme === 0 ? 'light' : 'dark', theme] as const),
);

it.each(inEachTheme)('selected items differ from errors: %s, %s [web-111]', (name, _, theme) => {
  // People can just distinguish 0.02. In the first release accent and danger were 0.04 apart.
  for (const sign of ['accent', 'ring'])
    expect(distance(at(sign, theme, name), at('danger', theme, name))).toBeGreaterThan(0.09);
  expect(distance(at('accent-soft', theme, name), at('danger-soft', theme, name))).toBeGreaterThan(0.03);
});

it.each(inEachTheme)('page, card and line are distinguishable: %s, %s [web-112]', (name, _, theme) => {
  const [paper, surface, sunk, line] = ['paper', 'surface', 'sunk', 'line'].map((token) =>
    at(token, theme, name),
  ) as [string, string, string, string];
  expect(contrast(paper, surface)).toBeGreaterThanOrEqual(1.09);
  expect(contrast(sunk, surface)).toBeGreaterThanOrEqual(1.2);
  expect(contrast(line, surface)).toBeGreaterThan(1.59);
});

it('white and black are readable on the ground of transparent pictures (WCAG, 4.5:1)', () => {
  const styles = readFileSync(join(import.meta.dirname, '../styles.css'), 'utf8');
  const [, ground = ''] = /\.behind-transparent \{\s*background: (#\w{6});/.exec(styles) ?? [];
  for (const logo of ['#ffffff', '#000000']) expect(contrast(logo, ground)).toBeGreaterThanOrEqual(4.5);
});
