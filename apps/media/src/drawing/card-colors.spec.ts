import { defaultPalette } from '@stoa/contracts';
import { expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { cardColors } from './card-colors.ts';

const read = (name: string) => readFileSync(new URL(`../../../web/src/ui/${name}`, import.meta.url), 'utf8');
const [site, palettes] = [read('tokens.css'), read('palettes.css')];

const tokens = {
  ...{ paper: 'paper', surface: 'surface', ink: 'ink', muted: 'muted' },
  ...{ accent: 'accent', accentSoft: 'accent-soft', onAccent: 'on-accent' },
};

it.each(Object.entries(cardColors))('%s has the colours of the web app', (name, colors) => {
  const css = name === defaultPalette ? site : (palettes.split(`'${name}'] {`)[1] ?? '').split('}')[0];
  const light = (token: string) => new RegExp(`--${token}: light-dark\\((#\\w{6}),`).exec(css ?? '')?.[1];
  expect(colors).toEqual(
    Object.fromEntries(Object.entries(tokens).map(([key, token]) => [key, light(token)])),
  );
});
