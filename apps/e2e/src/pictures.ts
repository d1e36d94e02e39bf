import sharp from 'sharp';
import { randomUUID } from 'node:crypto';

export interface PictureFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** Size of a profile picture that needs no crop. */
export const square = { width: 900, height: 900 };

/** A JPEG as a phone makes it, with place and camera in its EXIF data. As a cover it needs no crop. */
export async function randomPhoto({ width = 1200, height = 800 } = {}): Promise<PictureFile> {
  const hue = Math.floor(Math.random() * 255);
  const buffer = await sharp({
    create: { width, height, channels: 3, background: { r: hue, g: 120, b: 255 - hue } },
  })
    .composite([{ input: gradient(width, height), blend: 'overlay' }])
    .withExif({
      IFD0: { Make: 'Stoa Camera', Model: 'Probe', Artist: 'A. Secret' },
      IFD3: { GPSLatitudeRef: 'S', GPSLatitude: '33/1 55/1 0/1', GPSLongitudeRef: 'E' },
    })
    .jpeg({ quality: 82 })
    .toBuffer();
  return { name: `photo-${randomUUID().slice(0, 8)}.jpg`, mimeType: 'image/jpeg', buffer };
}

/** A transparent PNG with a white disc, like many logos. As a cover it needs no crop. */
export async function transparentPicture({ width = 1200, height = 800 } = {}): Promise<PictureFile> {
  const disc = `<svg width="${width}" height="${height}"><circle cx="50%" cy="50%" r="30%" fill="white"/></svg>`;
  const buffer = await sharp(Buffer.from(disc)).png().toBuffer();
  return { name: `logo-${randomUUID().slice(0, 8)}.png`, mimeType: 'image/png', buffer };
}

/** A valid JPEG of exactly this number of bytes, with padding after the picture. */
export async function photoOfSize(bytes: number, shape = { width: 600, height: 400 }): Promise<PictureFile> {
  const { buffer, ...rest } = await randomPhoto(shape);
  return { ...rest, buffer: Buffer.concat([buffer, Buffer.alloc(bytes - buffer.length)]) };
}

function gradient(width: number, height: number): Buffer {
  return Buffer.from(
    `<svg width="${width}" height="${height}"><defs><linearGradient id="g" x2="1" y2="1">
       <stop stop-color="white"/><stop offset="1" stop-color="black"/></linearGradient></defs>
       <rect width="100%" height="100%" fill="url(#g)"/></svg>`,
  );
}
