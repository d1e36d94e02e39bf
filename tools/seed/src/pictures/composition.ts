import type { Palette } from './palettes.ts';
import type { Random } from './random.ts';
import { gradient, rect } from './svg.ts';

/** Every cover is drawn on this sheet, whatever size it is rendered at; cards show covers at 3:2. */
export const sheet = { width: 1500, height: 1000 } as const;

/** Draws one cover: the inside of an SVG of the sheet's size. */
export type Composition = (palette: Palette, random: Random) => string;

export const backdrop = (palette: Palette, angle = 90) =>
  `<defs>${gradient('sky', palette.sky, angle)}</defs>` + rect(0, 0, sheet.width, sheet.height, 'url(#sky)');
