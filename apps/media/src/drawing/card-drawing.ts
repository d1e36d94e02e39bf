import type { PreviewCard } from '@stoa/contracts';
import { firstCharacters } from '@stoa/contracts/text';
import sharp, { type OverlayOptions, type Sharp } from 'sharp';
import { cardColors, type CardColors } from './card-colors.ts';
import { drawText, runsFromRight, type Layer, type TextStyle } from './card-text.ts';

/** The text of a card, and the bytes of a picture that this service has encoded. */
export interface CardTask {
  readonly card: PreviewCard;
  readonly picture: Buffer | null;
}

const [cardWidth, cardHeight] = [1200, 630];
const panel = { left: 708, width: cardWidth - 708 };
const column = { left: 72, width: 564, top: 56, bottom: 512 };
const title = { font: 'Fraunces Semi-Bold', sizes: [76, 66, 56, 48, 42], height: 236 } as const;
const offeringTitle = { ...title, sizes: [68, 58, 50, 44, 38], height: 200 } as const;
const small = { font: 'Figtree Semi-Bold', sizes: [34, 28, 24], height: 48 } as const;
const body = { font: 'Figtree', sizes: [30], height: 128 } as const;
/** Grey has the same contrast to white and black logos. The web app shows a similar grey behind them. */
const behindTransparent = '#767676';
const mark = 'M3 30V15a13 13 0 0 1 26 0v15h-4V15a9 9 0 0 0-18 0v15ZM10 30V16a6 6 0 0 1 12 0v14Z';

// SVG is enabled only for constant shapes: user text never becomes markup. WebP is enabled for pictures that
// this service has encoded.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadWebpBuffer', 'VipsForeignLoadSvgBuffer'] });
sharp.cache(false);
sharp.concurrency(1);

/** Draws a card as a JPEG of 1200 × 630 pixels, the size that link previews expect. */
export async function drawCard({ card, picture }: CardTask): Promise<Buffer> {
  const colors = cardColors[card.palette];
  const overlays = [
    ...(await words(card, colors)),
    ...(await brand(colors)),
    ...(picture ? await framed(picture, card) : await initial(card, colors)),
  ];
  return sharp(shapes(colors, picture === null))
    .composite(overlays)
    .flatten({ background: colors.paper })
    .removeAlpha()
    .jpeg({ quality: 84, mozjpeg: true, chromaSubsampling: '4:4:4' })
    .toBuffer();
}

function shapes({ paper, accent, accentSoft }: CardColors, withArch: boolean): Buffer {
  const middle = panel.left + panel.width / 2;
  const arch = `<path d="M${middle - 150} 630V330a150 150 0 0 1 300 0v300Z" fill="${accent}"/>`;
  return svg(
    cardWidth,
    cardHeight,
    `<rect width="1200" height="630" fill="${paper}"/>
     <rect x="${panel.left}" width="${panel.width}" height="630" fill="${accentSoft}"/>
     ${withArch ? arch : ''}
     <rect width="14" height="630" fill="${accent}"/>`,
  );
}

/** A text of one or more lines, and the gap above it in pixels. */
interface Line {
  readonly gap: number;
  readonly layer: Layer | null;
}

/** Draws the texts below one another, vertically centred in their column. */
async function words(card: PreviewCard, colors: CardColors): Promise<OverlayOptions[]> {
  const { offering } = card;
  const lines = offering ? await offeringLines(card, offering, colors) : await profileLines(card, colors);
  const drawn = lines.flatMap(({ gap, layer }) => (layer ? [{ gap, layer }] : []));
  const isRightToLeft = runsFromRight(offering?.title ?? card.name);
  const height = drawn.reduce((sum, { gap, layer }, index) => sum + layer.raw.height + (index ? gap : 0), 0);
  let top = Math.round(column.top + Math.max(0, column.bottom - column.top - height) / 2);
  return drawn.map(({ gap, layer }, index) => {
    if (index > 0) top += gap;
    const left = isRightToLeft ? column.left + column.width - layer.raw.width : column.left;
    const placed = { ...layer, left, top };
    top += layer.raw.height;
    return placed;
  });
}

const inColumn = (text: string, style: Omit<TextStyle, 'width'>) =>
  drawText(text, { ...style, width: column.width });

async function profileLines(card: PreviewCard, { ink, accent, muted }: CardColors): Promise<Line[]> {
  const name = await inColumn(card.name, { ...title, color: ink });
  const username = await inColumn(
    `@${card.username}`,
    name ? { ...small, color: accent } : { ...title, color: ink },
  );
  return [
    { gap: 0, layer: name },
    { gap: 24, layer: username },
    { gap: 26, layer: await inColumn(card.text, { ...body, color: muted }) },
  ];
}

async function offeringLines(
  { name, username }: PreviewCard,
  { type, title: words, price }: NonNullable<PreviewCard['offering']>,
  colors: CardColors,
): Promise<Line[]> {
  const heading = await inColumn(words, { ...offeringTitle, color: colors.ink });
  const by = { ...body, height: 44, color: colors.muted };
  return [
    {
      gap: 0,
      layer: await inColumn(
        type,
        heading ? { ...small, color: colors.accent } : { ...offeringTitle, color: colors.ink },
      ),
    },
    { gap: 22, layer: heading },
    { gap: 18, layer: (await inColumn(name, by)) ?? (await inColumn(`@${username}`, by)) },
    { gap: 28, layer: await priced(price, colors) },
  ];
}

/** Draws the price on a filled rectangle, like the button on the page of the offering. */
async function priced(price: string, { accent, onAccent }: CardColors): Promise<Layer | null> {
  const [side, above] = [28, 18];
  const style = { ...small, height: 40, color: onAccent, width: column.width - 2 * side };
  const text = await drawText(price, style);
  if (!text) return null;
  const [width, height] = [text.raw.width + 2 * side, Math.max(28, text.raw.height) + 2 * above];
  const ground = svg(width, height, `<rect width="${width}" height="${height}" rx="14" fill="${accent}"/>`);
  return layerOf(
    sharp(ground).composite([{ ...text, left: side, top: Math.round((height - text.raw.height) / 2) }]),
  );
}

async function brand({ accent, ink }: CardColors): Promise<OverlayOptions[]> {
  const name = await drawText('Stoa', { ...title, sizes: [36], height: 60, width: 200, color: ink });
  const sign = svg(44, 44, `<path transform="scale(1.375)" d="${mark}" fill="${accent}"/>`);
  return [
    { input: sign, left: column.left, top: 530 },
    ...(name ? [{ ...name, left: column.left + 58, top: 574 - name.raw.height - 2 }] : []),
  ];
}

/**
 * Draws a profile picture without margins, but an offering's cover as a whole, because it may contain text.
 */
async function framed(picture: Buffer, { offering }: PreviewCard): Promise<OverlayOptions[]> {
  if (!offering) {
    const face = sharp(picture)
      .resize({ width: panel.width, height: cardHeight, fit: 'cover' })
      .flatten({ background: behindTransparent });
    return [{ ...(await layerOf(face)), left: panel.left, top: 0 }];
  }
  const [edge, radius] = [36, 18];
  const most = { width: panel.width - 2 * edge, height: cardHeight - 2 * edge };
  const whole = sharp(picture).resize({ ...most, fit: 'inside' });
  const cover = await layerOf(whole.flatten({ background: behindTransparent }));
  const { width, height } = cover.raw;
  const corners = svg(width, height, `<rect width="${width}" height="${height}" rx="${radius}"/>`);
  const rounded = await layerOf(
    sharp(cover.input, { raw: cover.raw }).composite([{ input: corners, blend: 'dest-in' }]),
  );
  // A blurred copy of the cover fills the area around it, so that covers of any shape fit.
  const size = { width: panel.width, height: cardHeight };
  const ground = sharp(picture)
    .resize({ ...size, fit: 'cover' })
    .flatten({ background: behindTransparent });
  const blurred = await layerOf(ground.blur(36).modulate({ brightness: 0.82 }));
  const left = panel.left + Math.round((panel.width - width) / 2);
  return [
    { ...blurred, left: panel.left, top: 0 },
    { ...rounded, left, top: Math.round((cardHeight - height) / 2) },
  ];
}

/** Draws the first letter of the name under the arch of the logo, if there is no picture. */
async function initial(card: PreviewCard, { onAccent }: CardColors): Promise<OverlayOptions[]> {
  const style = { ...title, sizes: [170], height: 240, width: 260, color: onAccent };
  const letterOf = (words: string) => drawText(firstCharacters(words.trim(), 1).toUpperCase(), style);
  const drawn = (await letterOf(card.offering?.title ?? card.name)) ?? (await letterOf(card.username));
  if (!drawn) return [];
  const { width, height } = drawn.raw;
  const left = panel.left + Math.round((panel.width - width) / 2);
  return [{ ...drawn, left, top: 430 - Math.round(height / 2) }];
}

async function layerOf(picture: Sharp): Promise<Layer> {
  const { data, info } = await picture
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { input: data, raw: { width: info.width, height: info.height, channels: 4 } };
}

function svg(width: number, height: number, content: string): Buffer {
  const size = `width="${width}" height="${height}"`;
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${size}>${content}</svg>`);
}
