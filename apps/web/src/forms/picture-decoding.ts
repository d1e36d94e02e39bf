/** In pixels, upright. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** Enough for any screen; a phone has the memory for two of it, and not for the 200 MB of a photo of 48 megapixels. */
const workingPixels = 12_000_000;
const longestSide = 8192;

/** The size of a picture by its header, where this browser can read it: nothing is decoded for that. */
export async function measurePicture(file: Blob): Promise<PictureSize | undefined> {
  const address = URL.createObjectURL(file);
  const image = new Image();
  try {
    await new Promise((resolve, reject) => {
      image.onload = resolve;
      image.onerror = reject;
      image.src = address;
    });
    const { naturalWidth: width, naturalHeight: height } = image;
    return width > 0 && height > 0 ? { width, height } : undefined;
  } catch {
    return undefined;
  } finally {
    URL.revokeObjectURL(address);
  }
}

export const canMeasure = (): boolean => typeof createImageBitmap === 'function';

/** The size that a picture is worked on at: its own, or as much smaller as a phone needs. */
export function workingSize({ width, height }: PictureSize): PictureSize {
  const scale = Math.min(
    1,
    Math.sqrt(workingPixels / (width * height)),
    longestSide / Math.max(width, height),
  );
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** The picture, upright and no larger than it is worked on. */
export async function decodePicture(file: Blob, size: PictureSize): Promise<ImageBitmap> {
  const { width, height } = workingSize(size);
  return createImageBitmap(file, {
    imageOrientation: 'from-image',
    resizeWidth: width,
    resizeHeight: height,
    resizeQuality: 'high',
  });
}
