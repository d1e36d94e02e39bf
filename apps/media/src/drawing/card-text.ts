import { firstCharacters } from '@stoa/contracts/text';
import sharp from 'sharp';
import { drawableText } from './drawable-text.ts';

/** A drawn part of a card as raw RGBA pixels. */
export interface Layer {
  readonly input: Buffer;
  readonly raw: { readonly width: number; readonly height: number; readonly channels: 4 };
}

export interface TextStyle {
  readonly font: 'Fraunces Semi-Bold' | 'Figtree Semi-Bold' | 'Figtree';
  /** Font sizes in pixels, preferred one first. */
  readonly sizes: readonly number[];
  readonly color: string;
  readonly width: number;
  readonly height: number;
}

const lineSpacing = 1.24;
/** A card has no room for more characters, and drawing very long text takes long. */
const mostCharacters = 240;

/**
 * Draws text in the first font size that fits. If none fits, it cuts the text with an ellipsis. Null if there
 * is nothing to draw, or if the fonts contain none of the letters.
 */
export async function drawText(words: string, style: TextStyle): Promise<Layer | null> {
  const line = drawableText(words);
  if (!line) return null;
  const start = firstCharacters(line, mostCharacters);
  for (const size of style.sizes) {
    const layer = start.length === line.length ? await rendered(line, size, style) : undefined;
    if (layer === null || (layer && fits(layer, style))) return layer;
  }
  return cut(start, style);
}

async function cut(text: string, style: TextStyle): Promise<Layer | null> {
  const size = style.sizes.at(-1) ?? 24;
  let best: Layer | null = null;
  let [low, high] = [0, mostCharacters];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const layer = await rendered(`${firstCharacters(text, middle).trimEnd()}…`, size, style);
    if (layer && fits(layer, style)) [low, best] = [middle, layer];
    else high = middle - 1;
  }
  return best;
}

const fits = ({ raw }: Layer, { width, height }: TextStyle) => raw.width <= width && raw.height <= height;

async function rendered(
  words: string,
  size: number,
  { font, color, width }: TextStyle,
): Promise<Layer | null> {
  // The same line height for all scripts. Pango expects 1/1024 of a point; a point is a pixel here.
  const lineHeight = Math.round(size * lineSpacing * 1024);
  const attributes = `foreground="${color}" insert_hyphens="false" line_height="${lineHeight}"`;
  const text = `<span ${attributes}>${escaped(words)}</span>`;
  const options = { text, font: `${font} ${size}`, dpi: 72, width, wrap: 'word-char', rgba: true } as const;
  try {
    const { data, info } = await sharp({ text: options }).raw().toBuffer({ resolveWithObject: true });
    return { input: data, raw: { width: info.width, height: info.height, channels: 4 } };
  } catch (error) {
    // libvips throws this error for text that contains only invisible characters.
    if (/no text to render/.test(String(error))) return null;
    throw error;
  }
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escaped = (words: string) => words.replace(/[&<>]/g, (sign) => entities[sign] ?? '');

const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** Whether the first letter of the text belongs to a right-to-left script. */
export function runsFromRight(words: string): boolean {
  const [letter = ''] = /\p{L}/u.exec(words) ?? [];
  return rightToLeft.test(letter);
}
