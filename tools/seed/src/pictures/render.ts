import sharp, { type Sharp } from 'sharp';
import { randomFrom } from './random.ts';

export interface PictureFile {
  filename: string;
  contentType: 'image/jpeg' | 'image/png' | 'image/webp';
  bytes: Buffer;
}

const encoders = [
  { extension: 'jpg', contentType: 'image/jpeg', encode: (picture: Sharp) => picture.jpeg({ quality: 88 }) },
  {
    extension: 'webp',
    contentType: 'image/webp',
    encode: (picture: Sharp) => picture.webp({ quality: 88, effort: 1 }),
  },
  {
    extension: 'png',
    contentType: 'image/png',
    encode: (picture: Sharp) => picture.png({ palette: true, effort: 1 }),
  },
] as const;

const grainSize = 256;

/** Paper under the paint: grey noise, laid over the picture as soft light. */
const grain = (() => {
  const random = randomFrom('grain');
  const pixels = Buffer.alloc(grainSize ** 2);
  for (let index = 0; index < pixels.length; index += 1) {
    pixels[index] = 128 + (random.between(-1, 1) + random.between(-1, 1)) * 17;
  }
  return pixels;
})();
const grainTile = await sharp(grain, { raw: { width: grainSize, height: grainSize, channels: 1 } })
  .png({ compressionLevel: 1 })
  .toBuffer();

/** Renders an SVG at this width into one of the file types that the site takes; which one follows from the name. */
export async function render(svg: string, name: string, width: number): Promise<PictureFile> {
  const { extension, contentType, encode } = randomFrom(name).pick([encoders[0], ...encoders]);
  const picture = sharp(Buffer.from(svg.replace('<svg ', `<svg width="${width}" `)))
    .composite([{ input: grainTile, tile: true, blend: 'soft-light' }])
    .flatten({ background: '#faf7f2' });
  return { filename: `${name}.${extension}`, contentType, bytes: await encode(picture).toBuffer() };
}
