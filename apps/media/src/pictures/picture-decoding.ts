import type { Picture, pictureFormats } from '@stoa/contracts';
import { fileTypeFromBuffer } from 'file-type';
import sharp, { type OutputInfo, type ResizeOptions, type Sharp, type SharpOptions } from 'sharp';

type Format = (typeof pictureFormats)[number];

export interface Variant {
  readonly width: number;
  readonly format: Format;
  readonly bytes: Buffer;
}

export interface EncodedPicture extends Pick<
  Picture,
  'widths' | 'width' | 'height' | 'color' | 'isTransparent'
> {
  readonly variants: Variant[];
}

/** The sizes in which a picture is stored. */
export interface Variants {
  readonly widths: readonly number[];
  /** Width divided by height. If set, only the middle of the picture with this ratio is kept. */
  readonly ratio?: number;
}

export interface PictureTask extends Variants {
  readonly bytes: Buffer;
  readonly formats: readonly Format[];
}

/** The bytes are no picture that this service accepts. The message is shown to the uploader. */
export class UnsupportedPicture extends Error {}

interface Size {
  readonly width: number;
  readonly height: number;
}

// Decoders parse bytes of strangers, so only four of them are enabled, and only for input from memory.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Heif'].map((format) => `VipsForeignLoad${format}Buffer`),
});
// Every picture is different, so a cache is useless. The service itself limits the concurrency.
sharp.cache(false);
sharp.concurrency(1);

// Includes animated PNG files (apng), of which only the first frame is used.
const takenTypes = ['image/jpeg', 'image/png', 'image/apng', 'image/webp', 'image/avif'];
const mostPixels = 40_000_000;
const midTone = '#767676';
// Decoding an AVIF takes about 20 bytes of memory per pixel.
const mostAvifPixels = 24_000_000;
// The longest side of a picture in pixels: the maximum of WebP, and more than any camera has.
const longestSide = 16_384;
const mostBrandBytes = 256;
const endOfJpeg = Buffer.from([0xff, 0xd9]);
const decoding: SharpOptions = { limitInputPixels: mostPixels, failOn: 'error', autoOrient: true };

/**
 * Decodes the bytes and encodes them again without metadata, in all `widths` that do not enlarge the picture.
 * Hostile bytes may crash the process, so call it only in a separate, limited one.
 */
export async function encodePicture({ bytes: given, ...task }: PictureTask): Promise<EncodedPicture> {
  const { widths, ratio, formats } = task;
  const bytes = asStill(given);
  const type = await typeOf(bytes);
  const size = await measured(bytes, type);
  const kept = variantWidths(ratio === undefined ? size : middle(size, ratio), widths);
  const width = Math.max(...kept);
  const box: ResizeOptions =
    ratio === undefined
      ? { width, height: mostHeight(widths), fit: 'inside' }
      : { width, height: Math.max(1, Math.round(width / ratio)), fit: 'cover' };
  const { data, info } = await decoded(bytes, type, box);
  const pixels: SharpOptions = { raw: rawOf(info) };
  const variants: Variant[] = [];
  for (const width of kept) {
    for (const format of formats) {
      variants.push({ width, format, bytes: await encoded(sharp(data, pixels).resize({ width }), format) });
    }
  }
  const shown = await groundOf(sharp(data, pixels));
  return { widths: kept, width: info.width, height: info.height, ...shown, variants };
}

/**
 * The widths at which a picture is stored: all `widths` below its own, and its own. Tall pictures get fewer.
 */
export function variantWidths({ width, height }: Size, widths: readonly number[]): number[] {
  const room = Math.floor((width * mostHeight(widths)) / height);
  const own = Math.max(1, Math.min(width, room, Math.max(...widths)));
  return [...widths.filter((candidate) => candidate < own), own];
}

/** The size of the largest centred part with this ratio. */
function middle({ width, height }: Size, ratio: number): Size {
  return {
    width: Math.max(1, Math.min(width, Math.round(height * ratio))),
    height: Math.max(1, Math.min(height, Math.round(width / ratio))),
  };
}

function mostHeight(widths: readonly number[]): number {
  return Math.max(...widths) * 2;
}

/** Sets the main brand (type) of an AVIF file to `avif`, the only one that the decoder accepts. */
function asStill(bytes: Buffer): Buffer {
  if (bytes.toString('latin1', 4, 8) !== 'ftyp') return bytes;
  const end = Math.min(bytes.readUInt32BE(0), mostBrandBytes);
  const brands = bytes.toString('latin1', 8, end).match(/.{4}/gs) ?? [];
  if (!brands.some((brand) => brand === 'avif' || brand === 'avis')) return bytes;
  return Buffer.concat([bytes.subarray(0, 8), Buffer.from('avif'), bytes.subarray(12)]);
}

/** Detects the type from the bytes, because a file name may be wrong. */
async function typeOf(bytes: Buffer): Promise<string> {
  const type = await fileTypeFromBuffer(bytes).catch(() => undefined);
  if (type && takenTypes.includes(type.mime)) return type.mime;
  throw new UnsupportedPicture(
    'This file is not a picture we can read. Choose a JPEG, PNG, WebP or AVIF picture.',
  );
}

/** Reads the size from the header, before any pixel is decoded. Rotation by EXIF is taken into account. */
async function measured(bytes: Buffer, type: string): Promise<Size> {
  const { autoOrient } = await sharp(bytes, { ...decoding, limitInputPixels: false })
    .metadata()
    .catch(unreadable);
  const most = type === 'image/avif' ? mostAvifPixels : mostPixels;
  if (autoOrient.width * autoOrient.height > most) {
    throw new UnsupportedPicture(
      `This picture has too many pixels. Choose one of at most ${most / 1_000_000} megapixels.`,
    );
  }
  if (Math.max(autoOrient.width, autoOrient.height) > longestSide) {
    throw new UnsupportedPicture(
      `This picture is too long. Choose one of at most ${longestSide} pixels on each side.`,
    );
  }
  return autoOrient;
}

type Decoded = { data: Buffer; info: OutputInfo };

/** Accepts a JPEG without its end marker, as browsers do, but no JPEG that is cut off. */
async function decoded(bytes: Buffer, type: string, box: ResizeOptions): Promise<Decoded> {
  const decode = (from: Buffer, options: SharpOptions) =>
    sharp(from, options).resize(box).toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
  try {
    return await decode(bytes, decoding);
  } catch {
    if (type !== 'image/jpeg') return unreadable();
    for (const content of [bytes, ...withoutPadding(bytes)]) {
      const ended = Buffer.concat([content, endOfJpeg]);
      const whole = await decode(ended, { ...decoding, failOn: 'warning' }).catch(() => undefined);
      if (whole) return whole;
    }
    return unreadable();
  }
}

/**
 * Removes the zero bytes that some cameras add at the end. After the byte FF, it also tries to keep one zero.
 */
function withoutPadding(jpeg: Buffer): Buffer[] {
  const end = jpeg.findLastIndex((byte) => byte !== 0) + 1;
  if (end === jpeg.length) return [];
  return jpeg[end - 1] === 0xff
    ? [jpeg.subarray(0, end + 1), jpeg.subarray(0, end)]
    : [jpeg.subarray(0, end)];
}

function unreadable(): never {
  throw new UnsupportedPicture(
    'This picture is damaged or cut off: a part of it cannot be read. Choose another one.',
  );
}

function encoded(picture: Sharp, format: Format): Promise<Buffer> {
  switch (format) {
    case 'avif':
      // With effort 4, a large photo takes four times as long and gets hardly smaller.
      return picture.avif({ quality: 55, effort: 3, chromaSubsampling: '4:2:0' }).toBuffer();
    case 'webp':
      return picture.webp({ quality: 78, effort: 3 }).toBuffer();
  }
}

/** The placeholder colour, and whether the picture has transparent parts, which need a background. */
async function groundOf(picture: Sharp): Promise<Pick<Picture, 'color' | 'isTransparent'>> {
  const small = await picture.resize({ width: 64, height: 64, fit: 'inside' }).png().toBuffer();
  const { isOpaque } = await sharp(small).stats();
  const color = await dominantColor(sharp(small));
  return isOpaque ? { color } : { color, isTransparent: true };
}

async function dominantColor(picture: Sharp): Promise<string> {
  const { data, info } = await picture
    .flatten({ background: midTone })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { dominant } = await sharp(data, { raw: rawOf(info) }).stats();
  const hex = [dominant.r, dominant.g, dominant.b].map((value) => value.toString(16).padStart(2, '0'));
  return `#${hex.join('')}`;
}

function rawOf({ width, height, channels }: OutputInfo) {
  return { width, height, channels };
}
