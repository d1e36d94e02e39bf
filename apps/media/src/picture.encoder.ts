import { type Picture, pictureFormats } from '@stoa/contracts';
import { Refusal } from '@stoa/messaging';
import { Injectable } from '@nestjs/common';
import { fileTypeFromBuffer } from 'file-type';
import sharp, { type OutputInfo, type Sharp, type SharpOptions } from 'sharp';

type Format = (typeof pictureFormats)[number];

export interface Variant {
  readonly width: number;
  readonly format: Format;
  readonly bytes: Buffer;
}

export interface EncodedPicture extends Pick<Picture, 'widths' | 'width' | 'height' | 'color'> {
  readonly variants: Variant[];
}

interface Size {
  readonly width: number;
  readonly height: number;
}

// Every decoder is code that strangers feed: four of them, from memory only.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Heif'].map((format) => `VipsForeignLoad${format}Buffer`),
});
// Pictures never repeat, and how many are worked on at once is decided by the service.
sharp.cache(false);
sharp.concurrency(1);

// An animated PNG is a PNG too; its first frame is taken.
const takenTypes = ['image/jpeg', 'image/png', 'image/apng', 'image/webp', 'image/avif'];
const mostPixels = 40_000_000;
const decoding: SharpOptions = { limitInputPixels: mostPixels, failOn: 'error', autoOrient: true };
const timeout = { seconds: 15 };

/** Makes pictures out of bytes that nobody has looked at yet. */
@Injectable()
export class PictureEncoder {
  /**
   * Decodes `bytes` and encodes them again, upright and without metadata, at those of `widths` that do not
   * enlarge them.
   *
   * @throws Refusal `unsupported_picture` when they are no picture that we take.
   */
  async encode(bytes: Buffer, widths: readonly number[]): Promise<EncodedPicture> {
    const kept = variantWidths(await measured(bytes), widths);
    const { data, info } = await decoded(bytes, Math.max(...kept), mostHeight(widths));
    const pixels: SharpOptions = { raw: rawOf(info) };
    const variants: Variant[] = [];
    for (const width of kept) {
      for (const format of pictureFormats) {
        variants.push({ width, format, bytes: await encoded(sharp(data, pixels).resize({ width }), format) });
      }
    }
    const color = await dominantColor(sharp(data, pixels));
    return { widths: kept, width: info.width, height: info.height, color, variants };
  }
}

/**
 * The widths at which a picture is stored: those of `widths` that it fills, or its own when it fills none.
 * A picture much taller than wide counts as narrower, so that its height stays bounded.
 */
export function variantWidths({ width, height }: Size, widths: readonly number[]): number[] {
  const room = Math.floor((width * mostHeight(widths)) / height);
  const own = Math.max(1, Math.min(width, room));
  const filled = widths.filter((candidate) => candidate <= own);
  return filled.length > 0 ? filled : [own];
}

function mostHeight(widths: readonly number[]): number {
  return Math.max(...widths) * 2;
}

/** Upright size by the header, without decoding. */
async function measured(bytes: Buffer): Promise<Size> {
  const type = await fileTypeFromBuffer(bytes).catch(() => undefined);
  if (!type || !takenTypes.includes(type.mime)) {
    throw new Refusal('unsupported_picture', 'Choose a JPEG, PNG, WebP or AVIF picture.');
  }
  const { autoOrient } = await sharp(bytes, { ...decoding, limitInputPixels: false })
    .metadata()
    .catch(unreadable);
  if (autoOrient.width * autoOrient.height > mostPixels) {
    throw new Refusal(
      'unsupported_picture',
      `This picture has too many pixels. Choose one of at most ${mostPixels / 1_000_000} megapixels.`,
    );
  }
  return autoOrient;
}

function decoded(bytes: Buffer, width: number, height: number): Promise<{ data: Buffer; info: OutputInfo }> {
  return sharp(bytes, decoding)
    .resize({ width, height, fit: 'inside' })
    .toColourspace('srgb')
    .timeout(timeout)
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(unreadable);
}

function unreadable(error: unknown): never {
  // The machine may have been busy, so this says nothing about the picture.
  if (error instanceof Error && error.message.startsWith('timeout')) {
    throw new Refusal('timeout', 'Reading this picture took too long. Please try again.');
  }
  throw new Refusal('unsupported_picture', 'This picture is damaged or cannot be read. Choose another one.');
}

function encoded(picture: Sharp, format: Format): Promise<Buffer> {
  switch (format) {
    case 'avif':
      // From effort 4 on a large photo takes four times as long and is hardly smaller.
      return picture.avif({ quality: 55, effort: 3, chromaSubsampling: '4:2:0' }).toBuffer();
    case 'webp':
      return picture.webp({ quality: 78, effort: 3 }).toBuffer();
  }
}

async function dominantColor(picture: Sharp): Promise<string> {
  const { data, info } = await picture
    .resize({ width: 64, height: 64, fit: 'inside' })
    .flatten({ background: '#ffffff' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { dominant } = await sharp(data, { raw: rawOf(info) }).stats();
  const hex = [dominant.r, dominant.g, dominant.b].map((value) => value.toString(16).padStart(2, '0'));
  return `#${hex.join('')}`;
}

function rawOf({ width, height, channels }: OutputInfo) {
  return { width, height, channels };
}
