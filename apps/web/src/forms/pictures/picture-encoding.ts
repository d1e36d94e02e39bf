import type { PictureSize } from './picture-decoding.ts';

/** A part of a picture, in pixels of the picture. */
export interface CropArea extends PictureSize {
  readonly x: number;
  readonly y: number;
}

/** The site shows no picture at a larger size. */
const longestSide = 2560;
const qualities = [0.9, 0.8, 0.7, 0.6];
const smallerBy = 0.75;
const midTone = '#767676';

/** Encodes that part as a file of fewer than `limitBytes`. Never enlarges it. */
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
    // Safari keeps the memory of each canvas until none is left. Shrinking the canvas frees it.
    canvas.width = 0;
  }
}

/** Encodes as WebP. A browser that cannot write WebP returns a PNG, several times as large. */
async function encoded(
  canvas: HTMLCanvasElement,
  draw: CanvasRenderingContext2D,
  quality: number,
): Promise<Blob> {
  const webp = await blobOf(canvas, 'image/webp', quality);
  if (webp.type === 'image/webp') return webp;
  // JPEG would make transparent parts black, and a white logo would vanish on white.
  draw.globalCompositeOperation = 'destination-over';
  draw.fillStyle = midTone;
  draw.fillRect(0, 0, canvas.width, canvas.height);
  return blobOf(canvas, 'image/jpeg', quality);
}

/** A blob address of the whole picture. The caller revokes it. */
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
      (blob) => (blob ? resolve(blob) : reject(new Error('The canvas could not be encoded'))),
      type,
      quality,
    ),
  );
}

const endings: Readonly<Record<string, string>> = { 'image/webp': '.webp', 'image/jpeg': '.jpg' };

/** Names the file after the chosen one. */
export function fileOf(blob: Blob, { name }: File): File {
  const bare = name.replace(/\.[^.]*$/, '') || 'picture';
  return new File([blob], bare + (endings[blob.type] ?? ''), { type: blob.type });
}
