import sharp from 'sharp';
import { crc32, deflateSync } from 'node:zlib';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Makes noise at several scales, which is about as hard to compress as a photo. */
export async function makePhoto({ width, height }: Size): Promise<Buffer> {
  const noise = (scale: number, sigma: number) =>
    sharp({
      create: {
        width: Math.ceil(width / scale),
        height: Math.ceil(height / scale),
        channels: 3,
        background: '#808080',
        noise: { type: 'gaussian', mean: 128, sigma },
      },
    })
      .png({ compressionLevel: 0 })
      .toBuffer();
  const [coarse, middle, fine] = await Promise.all([noise(64, 60), noise(8, 40), noise(1, 12)]);
  const layer = (input: Buffer) => sharp(input).resize(width, height, { fit: 'fill' }).png().toBuffer();
  const layers = await Promise.all([layer(middle), layer(fine)]);
  return sharp(coarse)
    .resize(width, height, { fit: 'fill' })
    .composite(layers.map((input) => ({ input, blend: 'soft-light' as const })))
    .jpeg({ quality: 88 })
    .toBuffer();
}

export function plain({ width, height }: Size, background = '#3366cc') {
  return sharp({ create: { width, height, channels: 3, background } });
}

/** Red on the left, blue on the right. Its EXIF data rotates it by 90°, so that viewers show red on top. */
export function rotatedPhotoWithGps(): Promise<Buffer> {
  const half = { width: 400, height: 400, channels: 3 as const, background: '#e02020' };
  return sharp({ create: { ...half, width: 800, background: '#2020e0' } })
    .composite([{ input: { create: half }, left: 0, top: 0 }])
    .withExif({
      IFD0: { Copyright: 'Somebody' },
      IFD3: { GPSLatitudeRef: 'S', GPSLatitude: '33/1 55/1 0/1' },
    })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
}

/** A small PNG file whose header declares `width` × `height` pixels. */
export function pngDeclaring({ width, height }: Size): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const pixels = deflateSync(Buffer.alloc(1_000_000));
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** A large AVIF picture whose file header declares a small size. */
export async function avifDeclaring(real: Size, declared: Size): Promise<Buffer> {
  const bytes = await plain(real).avif({ effort: 0 }).toBuffer();
  const box = bytes.indexOf('ispe', 0, 'latin1');
  bytes.writeUInt32BE(declared.width, box + 8);
  bytes.writeUInt32BE(declared.height, box + 12);
  return bytes;
}

export const svg = Buffer.from(
  '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>',
);
export const html = Buffer.from('<!doctype html><script>alert(document.domain)</script>');

export function gif(): Promise<Buffer> {
  return plain({ width: 20, height: 20 }).gif().toBuffer();
}

/** A progressive JPEG that repeats its last scan. Each repeat has few bytes but costs work for all pixels. */
export async function jpegWithManyScans(size: Size, scans: number): Promise<Buffer> {
  const bytes = await plain(size).jpeg({ progressive: true }).toBuffer();
  const last = bytes.lastIndexOf(Buffer.from([0xff, 0xda]));
  const [head, scan] = [bytes.subarray(0, last), bytes.subarray(last, -2)];
  return Buffer.concat([head, ...Array.from({ length: scans }, () => scan), Buffer.from([0xff, 0xd9])]);
}
