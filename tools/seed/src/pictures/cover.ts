import type { Niche } from '@stoa/contracts';
import type { Composition } from './composition.ts';
import { sheet } from './composition.ts';
import { brushwork, cutOuts, tiles } from './covers/artist.ts';
import { archway, stairs, trail } from './covers/coach.ts';
import { blossom, hills, stones } from './covers/healer.ts';
import { record, resonance, strings } from './covers/musician.ts';
import { bough, flight, moonlight } from './covers/poet.ts';
import { manuscript, openBook, windowSill } from './covers/writer.ts';
import { paletteNames, palettes } from './palettes.ts';
import { hash, randomFrom } from './random.ts';
import { group } from './svg.ts';

const compositions: Record<Niche, readonly [Composition, Composition, Composition]> = {
  Writer: [manuscript, openBook, windowSill],
  Artist: [tiles, brushwork, cutOuts],
  Healer: [hills, stones, blossom],
  Coach: [stairs, trail, archway],
  Musician: [record, resonance, strings],
  Poet: [moonlight, bough, flight],
};

/**
 * The cover of a creator's offering as SVG. Composition and palette walk on from one offering to the next, so
 * that the covers of one profile differ; everything else follows from the names.
 */
export function coverSvg(username: string, niches: readonly Niche[], title: string, index: number): string {
  const random = randomFrom(`${username}/${title}`);
  const start = hash(username);
  const niche = niches[index % niches.length] ?? 'Artist';
  const turn = start + Math.floor(index / niches.length);
  const draw = compositions[niche][turn % 3] ?? compositions[niche][0];
  // Three is prime to the eight palettes: five offerings, five palettes.
  const palette = palettes[paletteNames[(start + index * 3) % paletteNames.length] ?? 'terracotta'];
  const direction = random.chance(0.5) ? `matrix(-1 0 0 1 ${sheet.width} 0)` : 'matrix(1 0 0 1 0 0)';
  const drawing = group([draw(palette, random)], { transform: direction });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${sheet.width} ${sheet.height}">${drawing}</svg>`;
}
