import sharp from 'sharp';
import { randomUUID } from 'node:crypto';

export interface PictureFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** Of the shape that a profile picture has: it is sent as it is. */
export const square = { width: 900, height: 900 };

/** A JPEG as a phone makes it, with a place and a camera in its EXIF, and of the shape of a cover: it is sent as it is. */
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

/** A real JPEG of exactly so many bytes: what comes after the picture's end counts for nothing but its size. */
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
