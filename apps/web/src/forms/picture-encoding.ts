import type { PictureSize } from './picture-decoding.ts';

/** A part of a picture, in its pixels. */
export interface CropArea extends PictureSize {
  readonly x: number;
  readonly y: number;
}

/** No picture of the site is shown at more. */
const longestSide = 2560;
const qualities = [0.9, 0.8, 0.7, 0.6];
const smallerBy = 0.75;
const midTone = '#767676';

/** That part as a file of fewer than `limitBytes`, never with more pixels than it has. */
export async function encodeCrop(picture: ImageBitmap, area: CropArea, limitBytes: number): Promise<Blob> {
  const own = Math.max(area.width, area.height);
  for (let longest = Math.min(own, longestSide); longest >= 1; longest *= smallerBy) {
    const blob = await encodedAt(picture, area, longest / own, limitBytes);
    if (blob) return blob;
  }
  throw new Error(`The picture could not be encoded in ${limitBytes} bytes`);
}

async function encodedAt(
  picture: ImageBitmap,
  { x, y, width, height }: CropArea,
  scale: number,
  limitBytes: number,
): Promise<Blob | undefined> {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const draw = canvas.getContext('2d');
  if (!draw) throw new Error('This browser has no canvas');
  draw.imageSmoothingQuality = 'high';
  draw.drawImage(picture, x, y, width, height, 0, 0, canvas.width, canvas.height);
  try {
    for (const quality of qualities) {
      const blob = await encoded(canvas, draw, quality);
      if (blob.size < limitBytes) return blob;
    }
    return undefined;
  } finally {
    // Safari keeps the memory of a canvas until it has none left.
    canvas.width = 0;
  }
}

/** As WebP; a browser that cannot write one answers with a PNG, of several times the size. */
async function encoded(
  canvas: HTMLCanvasElement,
  draw: CanvasRenderingContext2D,
  quality: number,
): Promise<Blob> {
  const webp = await blobOf(canvas, 'image/webp', quality);
  if (webp.type === 'image/webp') return webp;
  // What is transparent would turn black, and a white logo would be lost on white.
  draw.globalCompositeOperation = 'destination-over';
  draw.fillStyle = midTone;
  draw.fillRect(0, 0, canvas.width, canvas.height);
  return blobOf(canvas, 'image/jpeg', quality);
}

/** An address of the whole picture within this page, to be revoked. */
export async function addressOf(picture: ImageBitmap): Promise<string> {
  const canvas = document.createElement('canvas');
  canvas.width = picture.width;
  canvas.height = picture.height;
  canvas.getContext('2d')?.drawImage(picture, 0, 0);
  const blob = await blobOf(canvas, 'image/webp', 0.9);
  canvas.width = 0;
  return URL.createObjectURL(blob);
}

function blobOf(canvas: HTMLCanvasElement, type: string, quality: number): Promise<Blob> {
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('No picture came of it'))),
      type,
      quality,
    ),
  );
}

const endings: Readonly<Record<string, string>> = { 'image/webp': '.webp', 'image/jpeg': '.jpg' };

/** Called as the chosen file was. */
export function fileOf(blob: Blob, { name }: File): File {
  const bare = name.replace(/\.[^.]*$/, '') || 'picture';
  return new File([blob], bare + (endings[blob.type] ?? ''), { type: blob.type });
}
